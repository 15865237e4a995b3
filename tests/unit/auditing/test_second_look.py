from tacenda.transforms.auditing.second_look import second_look_residuals
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.residual import Residual
from tests.growth import grows_linearly


def _look(text: str, value: str, info_type: str) -> list[Residual]:
    start = text.index(value)
    finding = Finding(start, start + len(value), info_type, Likelihood.UNLIKELY, "rules")
    left = second_look_residuals([text], [[finding]], {"ORGANIZATION_NAME"})
    assert all(residual.place == (0, finding.start, finding.end) for residual in left)
    return [residual._replace(place=None) for residual in left]


def test_a_value_alone_is_not_partial() -> None:
    assert _look("write to ann at home", "ann at home", "EMAIL_ADDRESS") == [
        Residual("EMAIL_ADDRESS", "ann at home", partial=False)
    ]


def test_a_value_beside_a_token_of_its_kind_is_partial() -> None:
    assert _look("M-K two one [EMAIL_ADDRESS_1]", "M-K two one", "EMAIL_ADDRESS")[0].partial
    assert _look("[EMAIL_ADDRESS_1], two one", "two one", "EMAIL_ADDRESS")[0].partial


def test_a_token_of_another_kind_or_farther_away_changes_nothing() -> None:
    assert not _look("[PERSON_NAME_1] two one", "two one", "EMAIL_ADDRESS")[0].partial
    assert not _look("[EMAIL_ADDRESS_1] or else two one", "two one", "EMAIL_ADDRESS")[0].partial


def test_a_company_named_when_answering_is_the_speakers() -> None:
    text = "Dunder Mifflin, this is [PERSON_NAME_1]. Better than Staples."
    assert _look(text, "Dunder Mifflin", "ORGANIZATION_NAME")[0].speaker
    assert not _look(text, "Staples", "ORGANIZATION_NAME")[0].speaker
    assert not _look(text, "Dunder Mifflin", "PERSON_NAME")[0].speaker


def test_time_grows_with_the_text_and_not_with_its_square() -> None:
    def look(repeats: int) -> None:
        text = "[PERSON_NAME_1] met Ana today. " * repeats
        places = [i * 31 + 20 for i in range(repeats)]
        found = [Finding(at, at + 3, "LOCATION", Likelihood.UNLIKELY, "rules") for at in places]
        second_look_residuals([text], [found])

    assert grows_linearly(look, 400)
