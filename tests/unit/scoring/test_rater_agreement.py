import pytest

from tacenda.transforms.scoring.rater_agreement import cohen_kappa, krippendorff_alpha


def _kappa(yes_yes: int, yes_no: int, no_yes: int, no_no: int) -> float | None:
    counts = (yes_yes, yes_no, no_yes, no_no)
    return cohen_kappa(dict(zip([(a, b) for a in "yn" for b in "yn"], counts, strict=True)))


def test_kappa_computed_by_hand() -> None:
    # 20 + 15 of 50 agree; by chance .5 * .6 + .5 * .4 = .5; so (.7 - .5) / .5 = .4.
    assert _kappa(20, 5, 10, 15) == pytest.approx(0.4)
    assert _kappa(1, 0, 0, 1) == 1
    assert _kappa(0, 1, 1, 0) == -1


def test_kappa_of_more_than_two_values() -> None:
    # 3 of 4 agree; by chance (2 * 1 + 1 * 2 + 1 * 1) / 16 = 5 / 16.
    assert cohen_kappa({("a", "a"): 1, ("a", "b"): 1, ("b", "b"): 1, ("c", "c"): 1}) == pytest.approx(7 / 11)


@pytest.mark.parametrize(
    ("cells", "kappa"),
    [((71, 15, 83, 31), 0.089), ((126, 38, 15, 21), 0.281), ((1, 1, 2, 196), 0.393)],
)
def test_kappa_as_published(cells: tuple[int, int, int, int], kappa: float) -> None:
    assert round(_kappa(*cells) or 0, 3) == kappa


def test_kappa_is_undefined_if_chance_agreement_is_certain() -> None:
    assert _kappa(3, 0, 0, 0) is None
    assert cohen_kappa({}) is None


def test_alpha_of_two_readers_of_two_values() -> None:
    # Krippendorff 2011, section A: 4 of 10 units differ, so 8 of 20 coincidences; 14 zeros and 6 ones.
    meg = (0, 1, 0, 0, 0, 0, 0, 0, 1, 0)
    owen = (1, 1, 1, 0, 0, 1, 0, 0, 0, 0)
    assert krippendorff_alpha(zip(meg, owen, strict=True)) == pytest.approx(1 - 19 * 8 / (2 * 14 * 6))
    assert krippendorff_alpha(zip(meg, owen, strict=True)) == pytest.approx(0.095, abs=5e-4)


def test_alpha_of_four_readers_with_missing_values() -> None:
    # The same, section C.
    readers = ("123321412...", "123322412" + "5.3", ".33323422" + "51.", "123324412" + "51.")
    units = [[value for value in unit if value != "."] for unit in zip(*readers, strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=5e-4)


def test_alpha_needs_two_values_and_two_readers() -> None:
    assert krippendorff_alpha([["a", "a"], ["a", "a"]]) is None
    assert krippendorff_alpha([["a"], ["b"]]) is None
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([["a", "a"], ["b", "b"], ["c"]]) == 1
