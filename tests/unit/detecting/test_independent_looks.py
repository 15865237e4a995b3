from itertools import pairwise

from tacenda.transforms.detecting.faint import EDGES as FAINT
from tacenda.transforms.detecting.faint import band_of, faint_detector
from tacenda.transforms.detecting.independent_looks import EDGES, independent_band, independent_name


def test_each_band_has_a_name_of_its_own() -> None:
    bands = range(len(EDGES))
    assert [independent_band(independent_name(band)) for band in bands] == list(bands)
    assert {band_of(independent_name(band)) for band in bands} == {None}
    assert {independent_band(faint_detector(band)) for band in range(len(FAINT))} == {None}


def test_bands_ascend_from_as_likely_as_not() -> None:
    assert all(low < high for low, high in pairwise(EDGES))
    assert EDGES[0] == 0
