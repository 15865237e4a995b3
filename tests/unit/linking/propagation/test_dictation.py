import pytest

from tacenda.transforms.linking.propagation.dictation import dictated_parts
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood


def _parts(*texts: str, found: tuple[int, str], info_type: str = "PHONE_NUMBER") -> list[str]:
    """What is found in each cell if a detector found one text in one of them."""
    cells: list[list[Finding]] = [[] for _ in texts]
    cell, said = found
    start = texts[cell].index(said)
    cells[cell] = [Finding(start, start + len(said), info_type, Likelihood.LIKELY, "spoken")]
    parts = dictated_parts(texts, cells, "propagation")
    assert {part.info_type for part in parts.values()} <= {info_type}
    return [texts[k][parts[k].start : parts[k].end] if k in parts else "" for k in range(len(texts))]


def test_short_parts_between_acknowledgements() -> None:
    texts = (
        "my number is four one",
        "mhm",
        "five five",
        "yes",
        "five zero",
        "go ahead",
        "one nine",
        "ok",
        "9",
    )
    rest = ["", "", "five five", "", "five zero", "", "one nine", "", "9"]
    assert _parts(*texts, found=(0, "four one")) == rest


def test_parts_before_the_one_that_was_found() -> None:
    texts = ("it is 41", "mm", "five five five", "mhm", "five oh one nine please")
    assert _parts(*texts, found=(4, "five oh one nine")) == ["", "", "five five five", "", ""]
    assert _parts("it is 415", *texts[1:], found=(4, "five oh one nine"))[0] == "415"


def test_words_that_join_are_no_part() -> None:
    assert (
        _parts("four one five", "mhm", "and two five five one", found=(0, "four one five"))[2]
        == "two five five one"
    )


def test_the_rest_of_a_part() -> None:
    texts = ("four one five", "mhm", "five zero", "mhm", "one nine")
    assert _parts(*texts, found=(2, "five")) == ["four one five", "", "five zero", "", "one nine"]


@pytest.mark.parametrize(
    "texts",
    [
        ("four one five", "mhm", "two more things"),
        ("four one five", "when was that", "five five five", "zero one"),
        ("four one five", "mhm", "nine"),
        ("415 555 0199", "mhm", "two", "ok", "three"),
        ("four one five", *("mhm",) * 3, "five five five two"),
        ("four one five", "five five five", "two two"),
        ("143652", "ok", "100 dollars"),
    ],
)
def test_other_numbers_are_no_parts(texts: tuple[str, ...]) -> None:
    """A count, an answer, too few digits, a whole number, too many turns between, none, only figures."""
    assert not any(_parts(*texts, found=(0, texts[0])))


def test_a_plain_number_begins_nothing() -> None:
    texts = ("four one five", "mhm", "five five five", "mhm", "zero one nine nine")
    assert not any(_parts(*texts, found=(0, texts[0]), info_type="NUMERIC"))
    assert not any(_parts(*texts, found=(0, texts[0]), info_type="DATE"))
