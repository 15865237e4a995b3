from tacenda.transforms.detecting.overlaps import merge_overlapping as merge
from tacenda.transforms.detecting.overlaps import not_within
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

RANK = {"PHONE_NUMBER": 80, "NUMERIC": 1, "URL": 88, "DOMAIN_NAME": 50, "A": 10, "B": 10}


def _at(start: int, end: int, name: str, likelihood: Likelihood = Likelihood.POSSIBLE) -> Finding:
    return Finding(start, end, name, likelihood, "rules")


def test_numeric_never_takes_part_of_a_phone_number() -> None:
    found = merge([_at(0, 14, "PHONE_NUMBER"), _at(1, 4, "NUMERIC"), _at(10, 16, "NUMERIC")], RANK)
    assert found == [_at(0, 16, "PHONE_NUMBER")]


def test_a_chain_of_overlaps_is_merged() -> None:
    found = merge([_at(0, 5, "A"), _at(4, 9, "NUMERIC"), _at(8, 12, "DOMAIN_NAME")], RANK)
    assert found == [_at(0, 12, "DOMAIN_NAME")]


def test_adjacent_findings_are_not_merged() -> None:
    found = merge([_at(5, 9, "A"), _at(0, 5, "B")], RANK)
    assert found == [_at(0, 5, "B"), _at(5, 9, "A")]


def test_order_of_preference_is_rank_likelihood_length_start() -> None:
    surer = _at(3, 6, "B", Likelihood.LIKELY)
    assert merge([_at(0, 9, "A"), surer], RANK)[0].info_type == "B"
    assert merge([_at(0, 4, "A"), _at(3, 9, "B")], RANK)[0].info_type == "B"
    assert merge([_at(0, 4, "B"), _at(3, 7, "A")], RANK)[0].info_type == "B"
    assert merge([_at(0, 9, "DOMAIN_NAME", Likelihood.VERY_LIKELY), _at(1, 2, "URL")], RANK) == [
        _at(0, 9, "URL")
    ]


def test_a_long_first_finding_keeps_its_length() -> None:
    found = merge([_at(0, 20, "A"), _at(1, 3, "A"), _at(15, 25, "A")], RANK)
    assert found == [_at(0, 25, "A")]


def test_an_infotype_unknown_to_the_ranks_beats_a_catch_all() -> None:
    assert merge([_at(0, 4, "NUMERIC"), _at(1, 3, "BADGE")], RANK) == [_at(0, 4, "BADGE")]


def test_empty_ranges_are_dropped() -> None:
    assert merge([_at(4, 4, "A")], RANK) == []


def test_findings_within_others_are_dropped() -> None:
    def at(start: int, end: int) -> Finding:
        return Finding(start, end, "DATE", Likelihood.LIKELY, "rules")

    others = [at(5, 10), at(20, 30)]
    assert not_within([at(0, 4), at(5, 10), at(21, 22), at(29, 31)], others) == [at(0, 4), at(29, 31)]
    assert not_within([at(0, 4)], []) == [at(0, 4)]
