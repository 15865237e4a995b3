import pytest

from tacenda.transforms.linking.propagation.outvoted import without_outvoted
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

TEXTS = ["Das Ausland zahlt.", "Im Ausland und im Ausland."]


def _seen(
    likelihood: Likelihood = Likelihood.POSSIBLE, detector: str = "model", info_type: str = "LOCATION"
) -> Finding:
    return Finding(4, 11, info_type, likelihood, detector)


def _passed_over(*starts: int) -> list[tuple[int, list[Finding]]]:
    more = [Finding(at, at + 7, "LOCATION", Likelihood.LIKELY, "propagation") for at in starts]
    return [(1, more)] if more else []


def test_a_doubtful_name_that_is_passed_over_elsewhere_is_none() -> None:
    assert without_outvoted(TEXTS, [[_seen()], []], _passed_over(3, 18)) == ([[], []], [])


@pytest.mark.parametrize(
    "sure",
    [
        _seen(Likelihood.LIKELY),
        _seen(detector="rules"),
        _seen(detector="speaker_label"),
        _seen(info_type="USER_NAME"),
    ],
)
def test_its_twin_is_sure_in_one_place(sure: Finding) -> None:
    mentions = _passed_over(3, 18)
    assert without_outvoted(TEXTS, [[sure], []], mentions) == ([[sure], []], mentions)


def test_one_against_one_is_no_majority() -> None:
    mentions = _passed_over(3)
    assert without_outvoted(TEXTS, [[_seen()], []], mentions) == ([[_seen()], []], mentions)


def test_other_names_stay() -> None:
    texts = ["Das Ausland, sagt Anna.", "Im Ausland und im Ausland, sagt Anna."]
    anna = Finding(18, 22, "PERSON_NAME", Likelihood.POSSIBLE, "model")
    again = Finding(32, 36, "PERSON_NAME", Likelihood.LIKELY, "propagation")
    (_, more) = _passed_over(3, 18)[0]
    assert without_outvoted(texts, [[_seen(), anna], []], [(1, [*more, again])]) == (
        [[anna], []],
        [(1, [again])],
    )
