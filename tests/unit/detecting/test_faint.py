import numpy as np

from tacenda.transforms.detecting.faint import EDGES, band_of, bands, faint_detector, not_faint
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def test_bands_are_parts_of_the_threshold() -> None:
    parts = np.array([0, EDGES[0] / 2, EDGES[0], 0.5, 0.99, 1.0, 1.2, 9.0], np.float32)
    assert bands(parts).tolist() == [0, 0, 1, 4, 5, 6, 6, len(EDGES)]


def test_a_band_survives_as_the_name_of_a_detector() -> None:
    assert [band_of(faint_detector(band)) for band in range(len(EDGES))] == list(range(len(EDGES)))
    assert [band_of(name) for name in ("model", "rules", "faint", "faint 99")] == [None] * 4


def test_a_self_check_counts_no_faint_finding() -> None:
    found = [Finding(0, 3, "PERSON_NAME", Likelihood.UNLIKELY, "model")]
    faint = [Finding(0, 3, "PERSON_NAME", Likelihood.VERY_UNLIKELY, faint_detector(2))]
    assert not_faint([*faint, *found]) == found
