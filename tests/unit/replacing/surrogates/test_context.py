from collections.abc import Callable
from functools import lru_cache

import pytest

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.replacing.surrogates.context import KeyedDraws, Pools, Taken
from tacenda.transforms.replacing.surrogates.replacer import SurrogateReplacer
from tacenda.transforms.replacing.surrogates.writing import in_case_of, without_accents
from tacenda.transforms.schema.token import TOKEN
from tests.growth import is_linear_work
from tests.marked_conversations import linked, values


def _numbers(secret: bytes, conversation: str, *purpose: str) -> list[int]:
    draw = KeyedDraws(secret, conversation).draw(*purpose)
    return [draw.below(1_000_000) for _ in range(4)]


def test_the_same_key_draws_the_same() -> None:
    assert _numbers(b"secret", "1", "age") == _numbers(b"secret", "1", "age")


def test_secret_conversation_and_purpose_all_change_it() -> None:
    drawn = [
        _numbers(b"secret", "1", "age"),
        _numbers(b"other", "1", "age"),
        _numbers(b"secret", "2", "age"),
        _numbers(b"secret", "1", "date"),
        _numbers(b"secret", "1", "a", "ge"),
    ]
    assert len({tuple(numbers) for numbers in drawn}) == len(drawn)


def test_lone_surrogates_can_be_keyed() -> None:
    assert _numbers(b"secret", "\ud800", "\udfff")


LETTERS = "bdfgklmnprstvz"


def _pools(text: str = "", draws: KeyedDraws | None = None) -> Pools:
    return Pools(draws or KeyedDraws(b"secret", "call"), Taken([], [text]))


def _word(number: int) -> str:
    """A word that is in no list, another for each number."""
    syllables = []
    for _ in range(4):
        number, rest = divmod(number * 5 + 3, len(LETTERS))
        syllables.append(LETTERS[rest] + "aeiou"[(number + rest) % 5])
    return "".join(syllables).capitalize() + LETTERS[number % len(LETTERS)] * (number % 3)


def test_every_value_of_a_list_is_drawn_once_and_then_none() -> None:
    names = [f"Name{n}" for n in range(50)]
    pools = _pools()
    drawn = [pools.drawn(("names",), names, Draw(n)) for n in range(60)]
    assert sorted(filter(None, drawn[:50])) == sorted(names)
    assert drawn[50:] == [None] * 10


def test_words_of_the_conversation_and_what_does_not_fit_stay() -> None:
    pools = _pools("so Anna said")
    names = ["Anna", "Berta", "Cleo"]
    assert pools.drawn(("a",), names, Draw(1), lambda name: name != "Berta") == "Cleo"
    assert pools.drawn(("a",), names, Draw(2), lambda name: name != "Berta") is None
    # Another condition has a walk of its own.
    assert pools.drawn(("b",), names, Draw(3)) == "Berta"


def test_the_order_of_a_used_up_list_is_the_conversations_own() -> None:
    names = [f"Name{n}" for n in range(200)]

    def last(conversation: str) -> list[str | None]:
        pools = _pools(draws=KeyedDraws(b"secret", conversation))
        return [pools.drawn(("names",), names, Draw("one stream")) for _ in range(100)]

    assert last("1") == last("1")
    assert last("1") != last("2")


KINDS: dict[str, Callable[[int], str]] = {
    "people": lambda n: f"<PERSON_NAME:{_word(2 * n)} {_word(2 * n + 1)}>",
    "organisations": lambda n: f"<ORGANIZATION_NAME:{_word(n)} Bank>",
    "places": lambda n: f"<LOCATION:{_word(n)}>",
    "streets": lambda n: f"<STREET_ADDRESS:{n + 1} {_word(n)} Street>",
    "addresses": lambda n: f"<EMAIL_ADDRESS:{_word(n).lower()}@{_word(3 * n + 1).lower()}.com>",
    "addresses of people": lambda n: (
        f"<PERSON_NAME:{_word(2 * n)} {_word(2 * n + 1)}> "
        f"<EMAIL_ADDRESS:{_word(2 * n).lower()}.{_word(2 * n + 1).lower()}@mail.com>"
    ),
    "numbers": lambda n: f"<PHONE_NUMBER:+46 70 {n:07d}>",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_used_up_list_costs_each_further_value_no_more(kind: str) -> None:
    made = lru_cache(lambda size: linked([KINDS[kind](n) for n in range(size)]))
    assert is_linear_work(lambda size: SurrogateReplacer(b"secret").values(made(size)), 150)


@pytest.mark.parametrize("kind", ["people", "organisations"])
def test_beyond_a_list_there_are_tokens(kind: str) -> None:
    found = values(*map(KINDS[kind], range(1_500)))
    tokens = [value for value in found if TOKEN.fullmatch(value)]
    assert tokens
    names = [value for value in found if not TOKEN.fullmatch(value)]
    assert len(names) > 300
    assert len(set(names)) == len(names)


def test_originals_are_taken_whatever_their_case() -> None:
    taken = Taken(["Ann Lee", "STRASSE"], [])
    assert taken.is_original("ann lee")
    assert taken.is_original("Straße")
    assert not taken.take("ANN LEE")


def test_a_value_is_given_once() -> None:
    taken = Taken([], [])
    assert taken.take("Eva")
    assert not taken.take("eva")


def test_words_of_the_text_are_known() -> None:
    taken = Taken(["Ann"], ["Ask Karlsson-Berg for it"])
    assert taken.is_word("berg")
    assert taken.is_word("Anna Ann")
    assert not taken.is_word("Bergman")


@pytest.mark.parametrize(
    ("original", "value", "written"),
    [
        ("LEE", "Moss", "MOSS"),
        ("ann", "Eva", "eva"),
        ("Ann", "Eva", "Eva"),
        ("McLeod", "Berg", "Berg"),
        ("A", "eva", "Eva"),
        ("123", "Eva", "Eva"),
        ("王", "李", "李"),
    ],
)
def test_capitals_are_those_of_the_original(original: str, value: str, written: str) -> None:
    assert in_case_of(original, value) == written


def test_accents_go_where_nobody_writes_them() -> None:
    assert without_accents("Sjöberg Łukasz Großmann Kjær") == "Sjoberg Lukasz Grossmann Kjaer"
