from tacenda.transforms.detecting.union import resolve
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

RANK = {"PHONE_NUMBER": 80, "NUMERIC": 1, "URL": 88, "DOMAIN_NAME": 50, "A": 10, "B": 10}


def _finding(start: int, end: int, name: str, likelihood: Likelihood = Likelihood.POSSIBLE) -> Finding:
    return Finding(start, end, name, likelihood, "rules")


def test_numeric_never_takes_part_of_a_phone_number() -> None:
    found = resolve(
        [_finding(0, 14, "PHONE_NUMBER"), _finding(1, 4, "NUMERIC"), _finding(10, 16, "NUMERIC")], RANK
    )
    assert found == [_finding(0, 16, "PHONE_NUMBER")]


def test_a_chain_of_overlaps_is_one_finding() -> None:
    found = resolve([_finding(0, 5, "A"), _finding(4, 9, "NUMERIC"), _finding(8, 12, "DOMAIN_NAME")], RANK)
    assert found == [_finding(0, 12, "DOMAIN_NAME")]


def test_touching_findings_stay_apart() -> None:
    found = resolve([_finding(5, 9, "A"), _finding(0, 5, "B")], RANK)
    assert found == [_finding(0, 5, "B"), _finding(5, 9, "A")]


def test_order_of_preference_is_rank_likelihood_length_start() -> None:
    surer = _finding(3, 6, "B", Likelihood.LIKELY)
    assert resolve([_finding(0, 9, "A"), surer], RANK)[0].info_type == "B"
    assert resolve([_finding(0, 4, "A"), _finding(3, 9, "B")], RANK)[0].info_type == "B"
    assert resolve([_finding(0, 4, "B"), _finding(3, 7, "A")], RANK)[0].info_type == "B"
    assert resolve([_finding(0, 9, "DOMAIN_NAME", Likelihood.VERY_LIKELY), _finding(1, 2, "URL")], RANK) == [
        _finding(0, 9, "URL")
    ]


def test_a_long_first_finding_keeps_its_reach() -> None:
    found = resolve([_finding(0, 20, "A"), _finding(1, 3, "A"), _finding(15, 25, "A")], RANK)
    assert found == [_finding(0, 25, "A")]


def test_an_infotype_unknown_to_the_ranks_beats_a_catch_all() -> None:
    assert resolve([_finding(0, 4, "NUMERIC"), _finding(1, 3, "BADGE")], RANK) == [_finding(0, 4, "BADGE")]


def test_empty_ranges_are_dropped() -> None:
    assert resolve([_finding(4, 4, "A")], RANK) == []
