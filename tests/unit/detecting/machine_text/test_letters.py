import pytest

from tacenda.transforms.detecting.machine_text.letters import is_letter
from tests.growth import grows_linearly


@pytest.mark.parametrize(
    "text",
    [
        "Hi Anna,\nhere it is",
        "# Complaint\n\n> Dear Mr. O'Neil:\n> my order",
        "> > Hej Björn!\r\n> > order",
        "On Mon, Jan 4, 2021, Anna Berg <anna@example.com> wrote:\n> thanks",
        "El lun, 4 ene, Ana escribió:\n> gracias",
        "Den 4 januari skrev Anna:\nAnna Berg skrev:\n> tack",
    ],
)
def test_a_greeting_or_a_name_that_is_quoted_makes_a_letter(text: str) -> None:
    assert is_letter(text)


@pytest.mark.parametrize(
    "text", ["# pacman\n\n> Arch Linux Tool.", "say hello to Anna, please", "> he wrote: nothing", "wrote:"]
)
def test_other_quotes_and_greetings_make_none(text: str) -> None:
    assert not is_letter(text)


@pytest.mark.parametrize("hostile", ["> ", "hi a ", "\n>", "wrote :", "a wrote", "> hi\t"])
def test_time_is_linear(hostile: str) -> None:
    assert grows_linearly(lambda size: is_letter(hostile * size), 500)
