from tacenda.transforms.detecting.candidates import candidates
from tacenda.transforms.detecting.finding_lists import append_findings, append_unsure
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def test_only_likely_candidates_become_findings() -> None:
    found: list[list[Finding]] = [[], [], []]
    some = candidates([(2, 0, 4, 5), (0, 1, 3, 2), (2, 5, 6, 3)])
    assert append_findings(found, some, Likelihood.POSSIBLE, "NUMERIC", "rules") == [2, 2]
    assert found == [
        [],
        [],
        [
            Finding(0, 4, "NUMERIC", Likelihood.VERY_LIKELY, "rules"),
            Finding(5, 6, "NUMERIC", Likelihood.POSSIBLE, "rules"),
        ],
    ]
    assert isinstance(found[2][0].likelihood, Likelihood)


def test_unlikely_candidates_are_kept_separately() -> None:
    unsure: list[list[Finding]] = [[], []]
    some = candidates([(1, 0, 4, 5), (0, 1, 3, 2)])
    assert append_unsure(unsure, some, Likelihood.POSSIBLE, "NUMERIC", "rules") == [0]
    assert unsure == [[Finding(1, 3, "NUMERIC", Likelihood.UNLIKELY, "rules")], []]
