"""Surrogates: people, addresses, organisations, places, dates and numbers."""

import re
from datetime import date
from functools import lru_cache
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.transforms.detecting.rules.validators import VALIDATORS
from tacenda.transforms.gazetteers.word_list import NAMES as NAMES_OF_ELECTRONIC
from tacenda.transforms.gazetteers.word_list import ORGANIZATIONS, PLACES, WORDS, rows
from tacenda.transforms.replacing.surrogates.context import SurrogateSettings
from tacenda.transforms.replacing.surrogates.dates import moved_digits, read_date
from tacenda.transforms.replacing.surrogates.electronic import InventedOrganizations, invented_stems
from tacenda.transforms.replacing.surrogates.lists import cities, countries, people
from tacenda.transforms.replacing.surrogates.numbers import is_code, shifted_ages, with_symbols
from tacenda.transforms.replacing.surrogates.people import InventedPeople
from tacenda.transforms.replacing.surrogates.places import place
from tacenda.transforms.replacing.surrogates.replacer import SurrogateReplacer
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.text.characters import plain_letters
from tests.cases import tabled
from tests.growth import is_linear_work
from tests.marked_conversations import SECRET, context, linked, replaced, values


@tabled("marked", "form")
def test_surrogates_stand_in_the_form_of_what_they_replace(marked, form):
    (text,) = replaced([marked]).texts
    assert re.fullmatch(form, text), text


FEMALE, MALE, NEUTRAL = "f", "m", "n"


def _invented(*mentions, text="", conversation="call 1"):
    """The surrogates of one person's mentions."""
    shared = context(text, *mentions, mentions={"PERSON_NAME": mentions}, conversation_id=conversation)
    invented = InventedPeople(shared)
    invented.add(1, mentions)
    values = [invented.value(1, mention) for mention in mentions]
    assert None not in values
    return values


def _gender(name):
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
def test_surrogates_keep_the_gender_of_a_name(name, gender, conversation):
    assert _gender(name) == gender
    assert _gender(_invented(name, conversation=conversation)[0]) == gender


@tabled("name", "text", "part")
def test_a_name_has_the_gender_of_its_country(name, text, part):
    drawn = {plain_letters(_invented(name, text=text, conversation=str(n))[0]) for n in range(8)}
    pools = people().pools.items()
    assert drawn <= {plain_letters(own) for (_, kind), names in pools if kind == part for own in names}


@tabled("name", "origin")
def test_a_surrogate_is_of_the_same_origin(name, origin):
    given, family = _invented(name)[0].split(" ")
    assert origin in people().given[plain_letters(given)]
    assert origin in people().family[plain_letters(family)]


def test_accents_are_written_where_the_conversation_has_them():
    written = {
        _invented("Kjell Lindqvist", text="på svenska är det så", conversation=str(n))[0] for n in range(30)
    }
    plain = {_invented("Kjell Lindqvist", conversation=str(n))[0] for n in range(30)}
    assert not all(map(str.isascii, written))
    assert all(map(str.isascii, plain))


def test_a_word_of_the_conversation_is_no_surrogate():
    given, family = _invented("Kjell Lindqvist")[0].split()
    assert not {given, family} & {*_invented("Kjell Lindqvist", text=f"{given} {family}")[0].split()}


_SWEDISH = "jag heter så och det är en bok som ligger här på bordet hos oss"


@pytest.mark.parametrize("conversation", ["1", "2", "3", "4"])
def test_a_genitive_that_lists_have_as_a_name_keeps_its_s(conversation):
    whose, who = _invented("Annas", "Anna", text=_SWEDISH, conversation=conversation)
    assert whose == f"{who}s"
    alone = _invented("Marias", text=_SWEDISH, conversation=conversation)[0]
    assert alone[-1] == "s"
    assert _gender(alone[:-1]) == FEMALE


@pytest.mark.parametrize("name", ["Lars", "Andreas", "Jonas", "Agnes"])
def test_a_name_that_ends_in_s_is_no_genitive(name):
    assert _gender(_invented(name, text=_SWEDISH)[0]) == _gender(name)
    both = _invented("Andreas", "Andrea", text=_SWEDISH)
    assert both[0] != f"{both[1]}s"


def test_invented_stems_are_not_listed_names():
    known = {row[0] for name in (ORGANIZATIONS, NAMES_OF_ELECTRONIC, PLACES, WORDS) for row in rows(name)}
    assert not [stem for stem in invented_stems() if stem.lower() in known]


def test_the_genitive_of_an_organisation_has_the_same_stem():
    said = "Volvos chef ringde igår om bilen som vi har köpt. Volvo svarade inte."
    mentions = {"ORGANIZATION_NAME": ["Volvos", "Volvo"]}
    for n in range(8):
        organizations = InventedOrganizations(context(said, mentions=mentions, conversation_id=str(n)))
        whose, who = organizations.value("Volvos"), organizations.value("Volvo")
        assert whose == (who if who[-1] in "sxz" else f"{who}s")
    alone = InventedOrganizations(context(said, mentions={"ORGANIZATION_NAME": ["Volvos"]}))
    assert alone.value("Volvos")


EVERYTHING = (
    "Hi <PERSON_NAME:Ann Lee>, it's <PERSON_NAME:Bob> of <ORGANIZATION_NAME:Redwood Bank>, <LOCATION:Chicago>.",
    "Write to <EMAIL_ADDRESS:ann.lee@redwood.com>, call <PHONE_NUMBER:312-867-5309> on <DATE:March 18, 2024>.",
    "<PERSON_NAME:Ms Lee> is <AGE:41>, at <STREET_ADDRESS:12 Elm Street>.",
    "The card is <CREDIT_CARD_NUMBER:4111111111111111>.",
)


def test_another_conversation_or_secret_gives_other_people():
    first = values(*EVERYTHING)
    assert not set(first) & set(values(*EVERYTHING, conversation_id="call 2"))
    assert not set(first) & set(values(*EVERYTHING, secret=b"another secret of tests"))


_NAMES = st.sampled_from(
    ["Ann Lee", "ann", "Ms Lee", "José García", "Kjell", "Karlssons", "Zqxv", "王伟", "A."]
)

_OTHERS = st.sampled_from(
    [
        *("EMAIL_ADDRESS:ann.lee@x.com", "LOCATION:Uppsala", "ORGANIZATION_NAME:Acme", "GENERIC_ID:A-17"),
        *("AGE:40", "DATE:2024-03-18", "NUMERIC:7", "USER_NAME:alee", "URL:x.com/ann"),
        *("STREET_ADDRESS:5 Elm St", "TIME:9:30", "SPELLED_WORD:L-E-E", "IP_ADDRESS:10.0.0.1"),
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(_NAMES.map("PERSON_NAME:{}".format) | _OTHERS, min_size=1, max_size=8), st.text(max_size=5))
def test_no_value_is_an_original_and_the_same_entity_has_one(mentions, conversation_id):
    marked = [f"x <{mention}> y" for mention in mentions]
    conversation = linked(marked, conversation_id=conversation_id)
    made = SurrogateReplacer(SECRET).values(conversation)
    originals = {mention.partition(":")[2].casefold() for mention in mentions}
    of_mention = {}
    for (value,), (entity,), mention in zip(made.findings, conversation.entities, mentions, strict=True):
        assert value
        assert value.casefold() not in originals
        assert of_mention.setdefault((entity, mention), value) == value
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
    flat, other = (list(chain.from_iterable(values.findings)) for values in (tagged, plain))
    assert (flat[0], flat[-1]) == (f"<PERSON_NAME>{other[0]}</PERSON_NAME>", "[MEDICAL_TERM_1]")
    assert [re.sub("</?[A-Z_]+>", "", value) for value in flat] == other


LETTERS = "bdfgklmnprstvz"


def _word(number):
    """A word that is in no list, another for each number."""
    syllables = []
    for _ in range(4):
        number, rest = divmod(number * 5 + 3, len(LETTERS))
        syllables.append(LETTERS[rest] + "aeiou"[(number + rest) % 5])
    return "".join(syllables).capitalize() + LETTERS[number % len(LETTERS)] * (number % 3)


KINDS = {
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


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[pytest.mark.slow] * (kind not in ("people", "numbers"))) for kind in KINDS],
)
def test_a_used_up_list_costs_each_further_value_no_more(kind):
    made = lru_cache(lambda size: linked([KINDS[kind](n) for n in range(size)]))
    assert is_linear_work(lambda size: SurrogateReplacer(b"secret").values(made(size)), 150)


@pytest.mark.parametrize("kind", ["people", "organisations"])
def test_beyond_a_list_there_are_tokens(kind):
    found = values(*map(KINDS[kind], range(1_500)))
    names = [value for value in found if not TOKEN.fullmatch(value)]
    assert 300 < len(names) < len(found)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", ["Chicago", "Tromsø", "Uppsala", "Sevilla", "Tampere", "Lyon", "Scranton"])
def test_a_city_is_one_of_its_country_nearby(name):
    value = place(context(), name)
    assert value != name
    original = cities().rows[cities().by_name[plain_letters(name)]]
    near = [
        row
        for row in cities().of_country[original.country]
        if plain_letters(row.name) == plain_letters(value)
    ]
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


@tabled("text", "language", "moved")
def test_dates_move_in_their_form(text, language, moved):
    assert read_date(text, language).moved(-500) == moved


@tabled("among_words", "texts")
def test_text_without_exactly_one_date_gives_none(among_words, texts):
    assert [text for text in texts if read_date(text, among_words=among_words)] == []


@given(
    st.dates(date(1900, 1, 1), date(2099, 12, 31)),
    st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%Y", "%d %B %Y", "%A, %b %d, %Y"]),
)
def test_a_read_date_is_written_as_it_was(day, form):
    text = day.strftime(form)
    assert read_date(text).moved(0) == text


@tabled("digits", "form", "moved")
def test_the_date_in_a_personal_number_moves(digits, form, moved):
    assert moved_digits(digits, form, -400) == moved


@tabled("text", "before", "after")
def test_a_date_among_words_moves_in_its_own_form(text, before, after):
    read = read_date(text, among_words=True)
    assert (read.moved(-10), read.moved(1)) == (before, after)
    assert str(read.moved(0)).casefold() in (text.casefold(), text.casefold().replace("sept", "sep"))


def test_surrogate_ages_are_not_original_ages():
    # All four of 2 and 3 more or less are taken.
    taken = context(mentions={"AGE": ["40", "42", "43", "38", "37"]})
    assert shifted_ages(taken)("40") is None


def test_ages_over_the_limit_are_replaced_by_one():
    ages = shifted_ages(context(settings=SurrogateSettings(oldest_age=89)))
    assert (ages("97 years"), ages("104")) == ("90 years", "90")


@pytest.mark.parametrize("oldest", [None, 89])
@pytest.mark.parametrize("conversation", [f"call {n}" for n in range(20)])
def test_nobody_becomes_older_than_89_by_a_shift(conversation, oldest):
    settings = SurrogateSettings(oldest_age=oldest)
    ages = shifted_ages(context(conversation_id=conversation, settings=settings))
    assert ages("87 years") in ("84 years", "85 years", "89 years")
    assert ages("89") in ("86", "87")
    assert ages("80-årene") == "70-årene"


@tabled("text", "symbols", "written")
def test_other_symbols_stand_in_the_same_form(text, symbols, written):
    assert with_symbols(text, symbols) == written


def test_a_word_makes_it_no_code():
    said = ["Dial 1173", "six two one", "INC ten", "INC-29 a", "hyejin1973", "I N C 8", "SIX-12"]
    assert [text for text in said if is_code(text)] == said[3:]


_NUMBERS = {
    "CREDIT_CARD_NUMBER": ("4111 1111 1111 1111", "payment_card"),
    "IBAN_CODE": ("GB82 WEST 1234 5698 7654 32", "iban"),
    "SWEDEN_NATIONAL_ID_NUMBER": ("640823-3234", "se_personnummer"),
    "SWEDEN_COORDINATION_NUMBER": ("701063-2391", "se_samordningsnummer"),
    "NORWAY_NI_NUMBER": ("01017012363", "no_fodselsnummer"),
    "FINLAND_NATIONAL_ID_NUMBER": ("131052-308T", "fi_hetu"),
    "SPAIN_DNI_NUMBER": ("54362315K", "es_dni"),
    "US_HEALTHCARE_NPI": ("1234567893", "us_npi"),
    "VEHICLE_IDENTIFICATION_NUMBER": ("1HGCM82633A004352", "vin"),
    "CANADA_SOCIAL_INSURANCE_NUMBER": ("123 456 782", "ca_sin"),
}


def _one(info_type, text, checksums="as_written", conversation="call 1"):
    settings = SurrogateSettings(checksums=checksums)
    return values(f"it is <{info_type}:{text}>", conversation_id=conversation, settings=settings)[0]


def _form(text):
    return re.sub(r"[a-z]", "a", re.sub(r"[A-Z]", "A", re.sub(r"\d", "9", text)))


@pytest.mark.parametrize("conversation", ["call 1", "call 2", "call 3"])
@pytest.mark.parametrize("info_type", _NUMBERS)
def test_check_digits_are_right_or_wrong_as_asked_for(info_type, conversation):
    text, name = _NUMBERS[info_type]
    check = VALIDATORS[name]
    right = _one(info_type, text, "right", conversation)
    wrong = _one(info_type, text, "wrong", conversation)
    assert check(right)
    assert not check(wrong)
    assert _form(right) == _form(wrong) == _form(text)
    assert text not in (right, wrong)


def test_a_number_that_fails_its_check_has_one_that_fails():
    # The example of NorDeid is one; it is told by its place and form.
    value = _one("NORWAY_NI_NUMBER", "010101-12345")
    assert re.fullmatch(r"\d{6}-\d{5}", value)
    assert not VALIDATORS["no_fodselsnummer"](value)


def test_the_date_of_birth_inside_moves_with_the_others():
    number, birth = values("<SWEDEN_NATIONAL_ID_NUMBER:640823-3234>, born <DATE_OF_BIRTH:1964-08-23>")
    assert number[:6] == birth.replace("-", "")[2:]


def test_a_part_of_a_number_is_that_part_of_its_surrogate():
    whole, part = values("<PHONE_NUMBER:555-0143>", "<NUMERIC:0143> at the end")
    assert whole.replace("-", "").endswith(part)
