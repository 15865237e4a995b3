import pytest

from tacenda.transforms.releasing.context_form import form, questions, read_answers
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.yaml_text import parse_yaml


def test_the_form_has_every_question_once_and_reads_back_as_no_answers() -> None:
    names = [one.id for one in questions()]
    assert len(names) == len(set(names)) > 10
    assert list(parse_yaml(form())) == names
    assert read_answers(parse_yaml(form()), "f.yaml") == {}
    assert all(one.question in form() and one.topic in form() for one in questions())


def test_answers_are_trimmed_and_empty_ones_left_out() -> None:
    filled = form().replace('purpose: ""', 'purpose: " An assistant. "').replace('harm: ""', "harm:")
    assert read_answers(parse_yaml(filled), "f.yaml") == {"purpose": "An assistant."}


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (None, "not a form"),
        (["purpose"], "not a form"),
        ({"purpos": "x"}, "has no question 'purpos'"),
        ({"purpose": 3}, "put the answer in quotes"),
        ({"purpose": "x" * 2_001}, "shorten the answer"),
        ({"purpose": "\ud800"}, "half a character"),
    ],
)
def test_what_is_no_form_is_refused_in_one_line(document: object, told: str) -> None:
    with pytest.raises(UserError, match=f"^--context f.yaml: .*{told}[^\n]*$"):
        read_answers(document, "f.yaml")
