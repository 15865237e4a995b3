from tacenda.transforms.detecting.faint import faint_detector
from tacenda.transforms.detecting.passes.witnesses import second_witness
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

TEXT = "We met Rose at noon."
ROSE = Finding(7, 11, "PERSON_NAME", Likelihood.POSSIBLE, "gazetteer")


def _left(*found: Finding, doubtful: tuple[Finding, ...] = (), text: str = TEXT) -> list[Finding]:
    return second_witness([text], [list(found)], [doubtful])[0]


def test_a_listed_word_alone_is_no_finding() -> None:
    assert _left(ROSE) == []


def test_a_network_that_doubts_is_a_witness() -> None:
    faint = ROSE._replace(detector=faint_detector(0), likelihood=Likelihood.VERY_UNLIKELY)
    assert _left(ROSE, doubtful=(faint,)) == [ROSE]


def test_the_same_word_elsewhere_is_a_witness() -> None:
    texts = [TEXT, "Rose Berg called."]
    named = Finding(0, 9, "PERSON_NAME", Likelihood.LIKELY, "model")
    assert second_witness(texts, [[ROSE], [named]], [[], []])[0] == [ROSE]


def test_names_of_several_words_and_of_users_lists_stay() -> None:
    several = Finding(3, 11, "PERSON_NAME", Likelihood.POSSIBLE, "gazetteer")
    own = ROSE._replace(detector="rules")
    assert _left(several) == [several]
    assert _left(own) == [own]
