import pytest

from tacenda.transforms.auditing.still_readable import cuts_a_word
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


@pytest.mark.parametrize(
    ("text", "replaced", "cuts"),
    [
        ("id 06fe1234e17c", "1234", True),
        ("1234e17c", "1234", True),
        ("e17c1234", "1234", True),
        ("John@dancom", "John", True),
        ("x_John", "John", True),
        ("call 1234, now", "1234", False),
        ("(1234)e17c", "(1234)", False),
        ("1234", "1234", False),
        ("Pam's", "Pam", False),
        ("東京1234年", "1234", True),
    ],
)
def test_a_word_is_cut_where_letters_stand_on_both_sides_of_an_edge(
    text: str, replaced: str, cuts: bool
) -> None:
    start = text.index(replaced)
    found = Finding(start, start + len(replaced), "X", Likelihood.LIKELY, "rules")
    assert cuts_a_word(text, [found]) is cuts
    assert not cuts_a_word(text, [])
