import pytest

from tacenda.transforms.replacing.surrogates.inflection import (
    Ending,
    split_ending,
    takes,
    with_ending,
)
from tacenda.transforms.replacing.surrogates.lists import people
from tacenda.transforms.replacing.surrogates.people import InventedPeople
from tacenda.transforms.text.characters import plain_letters
from tests.marked_conversations import context

FEMALE, MALE, NEUTRAL = "f", "m", "n"


def _invented(*mentions: str, text: str = "", conversation: str = "call 1") -> list[str]:
    """The surrogates of one person's mentions."""
    shared = context(text, *mentions, mentions={"PERSON_NAME": mentions}, conversation_id=conversation)
    invented = InventedPeople(shared)
    invented.add(1, mentions)
    values = [invented.value(1, mention) for mention in mentions]
    assert None not in values
    return [value for value in values if value is not None]


def _gender(name: str) -> str:
    return people().genders.get(plain_letters(name), NEUTRAL)


@pytest.mark.parametrize(
    ("name", "gender"),
    [
        ("Maria", FEMALE), ("Signe", FEMALE), ("Priya", FEMALE), ("Katarzyna", FEMALE), ("Fatima", FEMALE),
        ("John", MALE), ("Lars", MALE), ("Rahul", MALE), ("Mohammed", MALE), ("Jürgen", MALE),
        ("Robin", NEUTRAL), ("Kim", NEUTRAL), ("Alexis", NEUTRAL),
    ],
)  # fmt: skip
@pytest.mark.parametrize("conversation", ["1", "2", "3", "4"])
def test_surrogates_keep_the_gender_of_a_name(name: str, gender: str, conversation: str) -> None:
    assert _gender(name) == gender
    assert _gender(_invented(name, conversation=conversation)[0]) == gender


def test_every_name_of_every_list_keeps_its_gender() -> None:
    for (_, part), names in people().pools.items():
        if part in (FEMALE, MALE) and names[0].isascii():
            for name in names[::40]:
                if len(name) > 2 and "-" not in name:
                    assert _gender(_invented(name)[0]) in (_gender(name), NEUTRAL), name


def test_a_title_tells_the_gender_of_a_name_that_no_list_has() -> None:
    drawn = {_invented("Ms Xqwerty Zzzov", "Xqwerty", conversation=str(n))[1] for n in range(12)}
    assert {_gender(name) for name in drawn} <= {FEMALE, NEUTRAL}


@pytest.mark.parametrize(
    ("name", "origin"),
    [
        ("Kjell Lindqvist", "swedish"), ("Pekka Virtanen", "finnish"), ("José García", "spanish"),
        ("Rahul Sharma", "indian"), ("Jürgen Schmidt", "german"), ("Łukasz Kowalczyk", "polish"),
        ("Иван Кузнецов", "russian_script"),
    ],
)  # fmt: skip
def test_a_surrogate_is_of_the_same_origin(name: str, origin: str) -> None:
    given, family = _invented(name)[0].split(" ")
    assert origin in people().given[plain_letters(given)]
    assert origin in people().family[plain_letters(family)]


def test_parts_of_a_name_are_parts_of_one_surrogate() -> None:
    full, given, family, turned, shouted, initial = _invented(
        "Ann Lee", "Ann", "Ms Lee", "LEE, ANN", "ANN LEE", "A. Lee"
    )
    first, last = full.split(" ")
    assert given == first
    assert family == f"Ms {last}"
    assert turned == f"{last}, {first}".upper()
    assert shouted == full.upper()
    assert initial == f"{first[0]}. {last}"


def test_possessives_and_spelled_letters_follow() -> None:
    full, possessive, spelled, mixed = _invented("Ann Lee", "Ann's", "L-E-E", "ann l e e")
    first, last = full.split(" ")
    assert possessive == f"{first}'s"
    assert spelled == "-".join(last.upper())
    assert mixed == f"{first} {' '.join(last)}".lower()


@pytest.mark.parametrize(
    ("full", "inflected", "ending"),
    [
        ("Kjell Karlsson", "Karlssons", "s"),
        ("Kari Hansen", "Kari Hansens", "s"),
        ("Jürgen Schmidt", "Schmidts", "s"),
        ("Juhani Virtanen", "Virtasen", "n"),
        ("Juhani Virtanen", "Virtaselle", "lle"),
    ],
)
def test_endings_follow(full: str, inflected: str, ending: str) -> None:
    base, written = _invented(full, inflected)
    family = base.split(" ")[-1]
    assert written.endswith(ending)
    assert written.split(" ")[-1][:3] == family[:3]
    assert written.split(" ")[-1] != family


def test_nicknames_and_other_spellings_are_the_same_person() -> None:
    full, nickname, misheard = _invented("Robert Smith", "Bob", "Smyth")
    first, last = full.split(" ")
    assert nickname == first
    assert misheard == last


def test_double_names_are_one_name() -> None:
    full, lone = _invented("Anne-Marie Berg", "Anne-Marie")
    assert full.startswith(f"{lone} ")


def test_particles_and_suffixes_stay() -> None:
    assert _invented("Jan van der Meer")[0].split(" ")[1:3] == ["van", "der"]
    assert _invented("John Smith Jr.")[0].endswith(" Jr.")


def test_a_family_shares_its_name() -> None:
    shared = context("Ann Lee, Bob Lee", mentions={"PERSON_NAME": ["Ann Lee", "Bob Lee"]})
    invented = InventedPeople(shared)
    invented.add(1, ["Ann Lee"])
    invented.add(2, ["Bob Lee"])
    ann, bob = invented.value(1, "Ann Lee"), invented.value(2, "Bob Lee")
    assert ann is not None
    assert bob is not None
    assert ann.split(" ")[1] == bob.split(" ")[1]
    assert ann.split(" ")[0] != bob.split(" ")[0]


def test_accents_are_written_where_the_conversation_has_them() -> None:
    written = {
        _invented("Kjell Lindqvist", text="på svenska är det så", conversation=str(n))[0] for n in range(30)
    }
    plain = {_invented("Kjell Lindqvist", conversation=str(n))[0] for n in range(30)}
    assert not all(map(str.isascii, written))
    assert all(map(str.isascii, plain))


_SWEDISH = "jag heter så och det är en bok som ligger här på bordet hos oss"


@pytest.mark.parametrize("conversation", ["1", "2", "3", "4"])
def test_a_genitive_that_lists_have_as_a_name_keeps_its_s(conversation: str) -> None:
    whose, who = _invented("Annas", "Anna", text=_SWEDISH, conversation=conversation)
    assert whose == f"{who}s"
    alone = _invented("Marias", text=_SWEDISH, conversation=conversation)[0]
    assert alone[-1] == "s"
    assert _gender(alone[:-1]) == FEMALE


@pytest.mark.parametrize("name", ["Lars", "Andreas", "Jonas", "Agnes"])
def test_a_name_that_ends_in_s_is_no_genitive(name: str) -> None:
    assert _gender(_invented(name, text=_SWEDISH)[0]) == _gender(name)
    both = _invented("Andreas", "Andrea", text=_SWEDISH)
    assert both[0] != f"{both[1]}s"


def test_english_has_no_genitive_without_an_apostrophe() -> None:
    whose, who = _invented("Annas", "Anna", text="this is the book that we have here on the table")
    assert whose != f"{who}s"


def test_an_exhausted_list_has_none() -> None:
    names = [name for (_, part), own in people().pools.items() if part[0] in "fmnl" for name in own]
    everybody = context(" ".join(names), mentions={"PERSON_NAME": ["Ann Lee"]})
    invented = InventedPeople(everybody)
    invented.add(1, ["Ann Lee"])
    assert invented.value(1, "Ann Lee") is None


NAMES = {"Virtanen", "Pekka", "Matti", "Helsinki", "Turku", "Suomi", "Karlsson", "Müller", "Kerava", "Lars"}


@pytest.mark.parametrize(
    ("word", "base", "ending"),
    [
        ("Ann's", "Ann", Ending("'s")),
        ("Ann’s", "Ann", Ending("’s")),
        ("Karlssons", "Karlsson", Ending("s")),
        ("Müllers", "Müller", Ending("s")),
        ("Lars", "Lars", None),
        ("Virtasen", "Virtanen", Ending("", "genitive")),
        ("Virtaselle", "Virtanen", Ending("", "allative")),
        ("Virtasta", "Virtanen", Ending("", "partitive")),
        ("Pekan", "Pekka", Ending("", "genitive")),
        ("Matilla", "Matti", Ending("", "adessive")),
        ("Helsingissä", "Helsinki", Ending("", "inessive")),
        ("Turussa", "Turku", Ending("", "inessive")),
        ("Suomesta", "Suomi", Ending("", "elative")),
        ("Keravaan", "Kerava", Ending("", "illative")),
        ("Qwerty", "Qwerty", None),
    ],
)
def test_possessive_endings_are_removed(word: str, base: str, ending: Ending | None) -> None:
    assert split_ending(word, NAMES.__contains__) == (base, ending)


@pytest.mark.parametrize(
    ("name", "case", "written"),
    [
        ("Korhonen", "genitive", "Korhosen"),
        ("Korhonen", "partitive", "Korhosta"),
        ("Korhonen", "illative", "Korhoseen"),
        ("Järvinen", "inessive", "Järvisessä"),
        ("Salo", "ablative", "Salolta"),
        ("Aila", "partitive", "Ailaa"),
        ("Kerava", "adessive", "Keravalla"),
        ("Kerava", "illative", "Keravaan"),
        ("Nämä", "essive", "Nämänä"),
    ],
)
def test_finnish_cases_are_put_on(name: str, case: str, written: str) -> None:
    ending = Ending("", case)
    assert takes(name, ending)
    assert with_ending(name, ending) == written


@pytest.mark.parametrize("name", ["Pekka", "Turku", "Kallio", "Niemi", "Smith"])
def test_names_with_changing_finnish_stems_are_not_inflected(name: str) -> None:
    assert not takes(name, Ending("", "genitive"))


def test_no_s_follows_an_s() -> None:
    assert not takes("Lars", Ending("s"))
    assert not takes("Max", Ending("s"))
    assert takes("Lars", Ending("'s"))
    assert with_ending("Nilsson", Ending("s")) == "Nilssons"


@pytest.mark.parametrize(
    ("name", "ending", "fits"),
    [
        ("Lars", "'", True),
        ("Luke", "'", False),
        ("Luke", "s", True),
        ("Lars", "s", False),
        ("Luke", "'s", True),
    ],
)
def test_a_bare_apostrophe_follows_an_s_and_an_s_follows_none(name: str, ending: str, fits: bool) -> None:
    assert takes(name, Ending(ending)) is fits
