from transforms.detecting.candidate import candidates
from transforms.detecting.noting import note
from transforms.schema.finding import Finding
from transforms.schema.likelihood import Likelihood


def test_only_what_is_likely_enough_is_noted_in_its_cell() -> None:
    found: list[list[Finding]] = [[], [], []]
    some = candidates([(2, 0, 4, 5), (0, 1, 3, 2), (2, 5, 6, 3)])
    assert note(found, some, Likelihood.POSSIBLE, "NUMERIC", "rules") == [2, 2]
    assert found == [
        [],
        [],
        [
            Finding(0, 4, "NUMERIC", Likelihood.VERY_LIKELY, "rules"),
            Finding(5, 6, "NUMERIC", Likelihood.POSSIBLE, "rules"),
        ],
    ]
    assert isinstance(found[2][0].likelihood, Likelihood)
