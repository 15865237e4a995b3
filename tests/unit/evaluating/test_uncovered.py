import pytest

from tacenda.transforms.evaluating.comparing import Step, uncovered_letters
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

TEXT = "Ask Ann-Marie Lee today"
GOLD = [AnnotatedSpan(4, 17, "PERSON_NAME")]


def step(name, *places):
    return Step(name, [[Finding(*place, "PERSON_NAME", Likelihood.LIKELY, "t") for place in places]])


@pytest.mark.parametrize(
    ("steps", "uncovered"),
    [
        ([step("found", (4, 17)), step("trim", (4, 17))], {}),
        ([step("found", (0, 17)), step("trim", (4, 17))], {}),
        # The hyphen is no letter.
        ([step("found", (4, 17)), step("trim", (8, 17))], {"trim": 3}),
        ([step("found", (4, 17)), step("trim", (8, 17)), step("spread", (4, 17))], {}),
        ([step("found", (4, 17)), step("trim", (8, 17)), step("drop")], {"trim": 3, "drop": 8}),
        ([step("found"), step("spread", (4, 17)), step("drop")], {}),
        (
            [step("found", (4, 7)), step("drop"), step("spread", (4, 7)), step("drop again")],
            {"drop again": 3},
        ),
    ],
)
def test_letters_are_counted_for_the_last_step_that_uncovers_them(steps, uncovered):
    assert +uncovered_letters([TEXT], [GOLD], steps) == uncovered
