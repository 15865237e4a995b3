"""replacer"""

import re
from collections.abc import Callable
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.replacing.surrogates.context import KeyedDraws, Pools, SurrogateSettings, Taken
from tacenda.transforms.replacing.surrogates.lists import cities, countries
from tacenda.transforms.replacing.surrogates.places import place, street_address
from tacenda.transforms.replacing.surrogates.replacer import SurrogateReplacer
from tacenda.transforms.replacing.surrogates.writing import in_case_of
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.text.characters import plain_letters
from tests.growth import is_linear_work
from tests.marked_conversations import SECRET, context, linked, replaced, values

EVERYTHING = (
    "Hi <PERSON_NAME:Ann Lee>, it's <PERSON_NAME:Bob> of <ORGANIZATION_NAME:Redwood Bank>, <LOCATION:Chicago>.",
    "Write to <EMAIL_ADDRESS:ann.lee@redwood.com>, call <PHONE_NUMBER:312-867-5309> on <DATE:March 18, 2024>.",
    "<PERSON_NAME:Ms Lee> is <AGE:41>, at <STREET_ADDRESS:12 Elm Street>.",
    "The card is <CREDIT_CARD_NUMBER:4111111111111111>.",
)


def test_a_secret_is_required():
    with pytest.raises(ValueError, match="secret"):
        SurrogateReplacer(b"")


def test_another_conversation_or_secret_gives_other_people():
    first = values(*EVERYTHING)
    assert not set(first) & set(values(*EVERYTHING, conversation_id="call 2"))
    assert not set(first) & set(values(*EVERYTHING, secret=b"another secret of tests"))


def test_a_conversation_reads_naturally():
    out = replaced(EVERYTHING)
    assert not re.search(r"\[[A-Z_]+_\d+\]", " ".join(out.texts))
    pattern = (
        r"Hi (\w+) (\w+), it's \w+ of \w+ Bank, [\w ]+\. "
        r"Write to (\w+)\.(\w+)@\w+\.example\.com, call \d{3}-555-01\d\d on [A-Z][a-z]+ \d\d?, 20\d\d\. "
        r"Ms (\w+) is \d\d, at \d\d \w+ Street\. The card is 4\d{15}\."
    )
    match = re.fullmatch(pattern, " ".join(out.texts))
    assert match, out.texts
    first, last, local_first, local_last, alone = match.groups()
    assert (first.lower(), last.lower(), last) == (local_first, local_last, alone)


def test_speakers_and_their_mentions_have_one_surrogate():
    out = replaced(
        ["Hello <PERSON_NAME:Pam>.", "Hi <PERSON_NAME:Jim>!"],
        ["Jim Halpert", "Pam"],
        {"Jim Halpert": "PERSON_NAME", "Pam": "PERSON_NAME"},
    )
    assert out.texts[0] == f"Hello {out.speakers[1]}."
    assert out.texts[1] == f"Hi {str(out.speakers[0]).split(' ')[0]}!"


def test_what_has_no_kind_has_its_token():
    assert values("<MEDICAL_TERM:gout>, <BLOOD_TYPE:AB+>, <MEDICAL_TERM:lupus>") == [
        "[MEDICAL_TERM_1]",
        "[BLOOD_TYPE_1]",
        "[MEDICAL_TERM_2]",
    ]


_NAMES = st.sampled_from(
    ["Ann Lee", "ann", "Ms Lee", "José García", "Kjell", "Karlssons", "Zqxv", "王伟", "A."]
)

_OTHERS = st.sampled_from(
    [
        "EMAIL_ADDRESS:ann.lee@x.com",
        "LOCATION:Uppsala",
        "ORGANIZATION_NAME:Acme",
        "GENERIC_ID:A-17",
        "AGE:40",
        "DATE:2024-03-18",
        "NUMERIC:7",
        "USER_NAME:alee",
        "URL:x.com/ann",
        "STREET_ADDRESS:5 Elm St",
        "TIME:9:30",
        "SPELLED_WORD:L-E-E",
        "IP_ADDRESS:10.0.0.1",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(_NAMES.map("PERSON_NAME:{}".format) | _OTHERS, min_size=1, max_size=8), st.text(max_size=5))
def test_no_value_is_an_original_and_the_same_entity_has_one(mentions, conversation_id):
    marked = [f"x <{mention}> y" for mention in mentions]
    conversation = linked(marked, conversation_id=conversation_id)
    made = SurrogateReplacer(SECRET).values(conversation)
    originals = {mention.partition(":")[2].casefold() for mention in mentions}
    of_mention: dict[tuple[int, str], str] = {}
    for cell, entities, mention in zip(made.findings, conversation.entities, mentions, strict=True):
        assert cell[0]
        assert cell[0].casefold() not in originals
        assert of_mention.setdefault((entities[0], mention), cell[0]) == cell[0]
    assert SurrogateReplacer(SECRET).values(conversation) == made


_PIECES = st.sampled_from(
    ["Ann", "lee", "12", "one", "twenty", "double", "at", "dot", "may", "-", "@", "/", ":", "'s", ".com", "x",
     "Ö", "的", "\u0301", "£", "1984-03-18", "A1", "St",
     "Storgatan", "as in", "́", "٣", "²", "ß", "İ"]
)  # fmt: skip

_ANY_TEXT = st.lists(_PIECES, min_size=1, max_size=6).map(" ".join) | st.text(
    st.characters(blacklist_characters="<>"), min_size=1, max_size=12
)

_INFO_TYPES = st.sampled_from(
    ["PERSON_NAME", "LOCATION", "STREET_ADDRESS", "ORGANIZATION_NAME", "EMAIL_ADDRESS", "USER_NAME", "URL",
     "DATE",
     "TIME", "AGE", "IP_ADDRESS", "SPELLED_WORD", "PHONE_NUMBER", "CREDIT_CARD_NUMBER", "IBAN_CODE",
     "NORWAY_NI_NUMBER",
     "SPAIN_DNI_NUMBER", "VEHICLE_IDENTIFICATION_NUMBER", "FINLAND_NATIONAL_ID_NUMBER", "GENERIC_ID", "UNKNOWN"]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(_INFO_TYPES, _ANY_TEXT)
def test_every_text_has_a_value(info_type, text):
    value = values(f"<{info_type}:{text}>")[0]
    assert value
    assert value.strip().casefold() != text.strip().casefold()


def test_tagged_surrogates_without_their_tags_are_the_others():
    settings = SurrogateSettings(tagged=True)
    talk = linked([*EVERYTHING, "It is <MEDICAL_TERM:gout>."])
    tagged = SurrogateReplacer(SECRET, settings).values(talk)
    plain = SurrogateReplacer(SECRET).values(talk)
    flat = [value for cell in tagged.findings for value in cell]
    assert flat[0] == f"<PERSON_NAME>{plain.findings[0][0]}</PERSON_NAME>"
    assert flat[-1] == "[MEDICAL_TERM_1]"
    assert [re.sub("</?[A-Z_]+>", "", value) for value in flat] == [
        v for cell in plain.findings for v in cell
    ]


def test_a_name_before_a_bare_apostrophe_ends_in_an_s():
    whose, who = values("<PERSON_NAME:James>' car is here.", "<PERSON_NAME:James> came.")
    assert whose == who
    assert whose[-1] in "sxz"


def _numbers(secret, conversation, *purpose):
    draw = KeyedDraws(secret, conversation).draw(*purpose)
    return [draw.below(1_000_000) for _ in range(4)]


def test_secret_conversation_and_purpose_all_change_it():
    drawn = [
        _numbers(b"secret", "1", "age"),
        _numbers(b"other", "1", "age"),
        _numbers(b"secret", "2", "age"),
        _numbers(b"secret", "1", "date"),
        _numbers(b"secret", "1", "a", "ge"),
    ]
    assert len({tuple(numbers) for numbers in drawn}) == len(drawn)


LETTERS = "bdfgklmnprstvz"


def _pools(text="", draws=None):
    return Pools(draws or KeyedDraws(b"secret", "call"), Taken([], [text]))


def _word(number):
    """A word that is in no list, another for each number."""
    syllables = []
    for _ in range(4):
        number, rest = divmod(number * 5 + 3, len(LETTERS))
        syllables.append(LETTERS[rest] + "aeiou"[(number + rest) % 5])
    return "".join(syllables).capitalize() + LETTERS[number % len(LETTERS)] * (number % 3)


def test_every_value_of_a_list_is_drawn_once_and_then_none():
    names = [f"Name{n}" for n in range(50)]
    pools = _pools()
    drawn = [pools.drawn(("names",), names, Draw(n)) for n in range(60)]
    assert sorted(filter(None, drawn[:50])) == sorted(names)
    assert drawn[50:] == [None] * 10


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
def test_a_used_up_list_costs_each_further_value_no_more(kind):
    made = lru_cache(lambda size: linked([KINDS[kind](n) for n in range(size)]))
    assert is_linear_work(lambda size: SurrogateReplacer(b"secret").values(made(size)), 150)


@pytest.mark.parametrize("kind", ["people", "organisations"])
def test_beyond_a_list_there_are_tokens(kind):
    found = values(*map(KINDS[kind], range(1_500)))
    tokens = [value for value in found if TOKEN.fullmatch(value)]
    assert tokens
    names = [value for value in found if not TOKEN.fullmatch(value)]
    assert len(names) > 300
    assert len(set(names)) == len(names)


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
def test_capitals_are_those_of_the_original(original, value, written):
    assert in_case_of(original, value) == written


def _city(name):
    return cities().by_name[plain_letters(name)]


@pytest.mark.parametrize("name", ["Chicago", "Tromsø", "Uppsala", "Sevilla", "Tampere", "Lyon", "Scranton"])
def test_a_city_is_one_of_its_country_nearby(name):
    value = place(context(), name)
    assert value is not None
    assert value != name
    original = cities().rows[_city(name)]
    same_name = [row for row in cities().rows if plain_letters(row.name) == plain_letters(value)]
    near = [row for row in same_name if row.country == original.country]
    assert near
    # Some ten degrees at most: what is near in a country of few cities.
    assert min(abs(row.latitude - original.latitude) for row in near) < 12


def test_a_country_is_one_beside_it_in_the_same_language():
    value = place(context(), "Sverige")
    assert value in {countries().names["sv", code] for code in countries().neighbours["SE"]}


@pytest.mark.parametrize(
    ("state", "others"), [("Ohio", {"Indiana", "Iowa", "Kansas"}), ("TX", {"OK", "FL", "GA"})]
)
def test_a_state_is_one_of_its_part_of_the_country(state, others):
    drawn = {place(context(conversation_id=str(n)), state) for n in range(80)}
    assert others <= drawn
    assert state not in drawn


def test_a_finnish_case_is_kept():
    value = place(context(), "Helsingissä")
    assert value is not None
    assert value.endswith(("ssa", "ssä"))


def test_words_for_the_kind_of_place_stay():
    value = place(context(), "the Malmö office")
    assert value is not None
    assert value.startswith("the ")
    assert value.endswith(" office")
    assert "Malm" not in value


def test_parts_of_a_place_are_replaced_each():
    value = place(context(), "Norfolk, Virginia")
    assert value is not None
    town, _, state = value.partition(", ")
    assert plain_letters(town) in cities().by_name
    assert place(context(), state) is not None
    assert "Norfolk" not in value
    assert state != "Virginia"


def test_the_same_place_is_the_same_and_two_are_two():
    shared = context()
    names = ["Chicago", "Peoria", "Springfield", "Rockford", "Chicago"]
    values = [place(shared, name) for name in names]
    assert values[0] == values[-1]
    assert len(set(values)) == 4


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("85 Albert Crescent, Apt 7", r"\d\d [A-Z]\w+ Crescent, Apt \d"),
        ("1235 N Jones St", r"\d{4} [A-Z] [A-Z]\w+ St"),
        ("six fifty five Ridgewood Street", r"[a-z ]+ [A-Z][\w-]+ Street"),
        ("five two tannery ave", r"[a-z ]+ [a-z-]+ ave"),
        ("Storgatan 12", r"[A-ZÄÖ]\w+gatan \d\d"),
        ("Kirkegata 5B", r"[A-ZØ]\w+gata \d[A-Z]"),
        ("Mannerkatu 3", r"[A-Z]\w+katu \d"),
        ("Goethestraße 44", r"[A-ZÜ]\w+straße \d\d"),
        ("Calle Alcalá 23", r"Calle [A-ZÁ]\w+ \d\d"),
    ],
)
def test_an_address_keeps_its_form(text, form):
    language = (
        "Calle" in text and "¿Dónde está la casa de la señora que vive aquí con su madre y sus hermanos?"
    )
    value = street_address(context(language or text), text)
    assert value is not None
    assert re.fullmatch(form, value), value
    kept = re.compile(r"\d+|Albert|Jones|Ridgewood|tannery|Stor|Kirke|Manner|Goethe|Alcalá")
    assert not set(kept.findall(text)) & set(kept.findall(value)) - {"5"}


def test_town_and_state_behind_a_street_are_places_nearby():
    value = street_address(context(), "98 Main Avenue, Newark, New Jersey, 07181")
    assert value is not None
    street, town, state, code = value.split(", ")
    assert re.fullmatch(r"\d\d [A-Z][\w-]+ Avenue", street)
    assert town != "Newark"
    assert state != "New Jersey"
    assert re.fullmatch(r"0\d{4}", code)
