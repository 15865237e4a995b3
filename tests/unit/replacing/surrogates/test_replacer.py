import re
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.transforms.replacing.surrogates.context import SurrogateSettings
from tacenda.transforms.replacing.surrogates.replacer import SurrogateReplacer
from tests.marked_conversations import SECRET, linked, replaced, values

EVERYTHING = (
    "Hi <PERSON_NAME:Ann Lee>, it's <PERSON_NAME:Bob> of <ORGANIZATION_NAME:Redwood Bank>, <LOCATION:Chicago>.",
    "Write to <EMAIL_ADDRESS:ann.lee@redwood.com>, call <PHONE_NUMBER:312-867-5309> on <DATE:March 18, 2024>.",
    "<PERSON_NAME:Ms Lee> is <AGE:41>, at <STREET_ADDRESS:12 Elm Street>.",
    "The card is <CREDIT_CARD_NUMBER:4111111111111111>.",
)


def test_a_secret_is_required() -> None:
    with pytest.raises(ValueError, match="secret"):
        SurrogateReplacer(b"")


def test_the_same_secret_and_conversation_give_the_same() -> None:
    assert values(*EVERYTHING) == values(*EVERYTHING)


def test_another_conversation_or_secret_gives_other_people() -> None:
    first = values(*EVERYTHING)
    assert not set(first) & set(values(*EVERYTHING, conversation_id="call 2"))
    assert not set(first) & set(values(*EVERYTHING, secret=b"another secret of tests"))


def test_a_conversation_reads_naturally() -> None:
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


def test_speakers_and_their_mentions_have_one_surrogate() -> None:
    out = replaced(
        ["Hello <PERSON_NAME:Pam>.", "Hi <PERSON_NAME:Jim>!"],
        ["Jim Halpert", "Pam"],
        {"Jim Halpert": "PERSON_NAME", "Pam": "PERSON_NAME"},
    )
    assert out.texts[0] == f"Hello {out.speakers[1]}."
    assert out.texts[1] == f"Hi {str(out.speakers[0]).split(' ')[0]}!"


def test_what_has_no_kind_has_its_token() -> None:
    assert values("<MEDICAL_TERM:gout>, <BLOOD_TYPE:AB+>, <MEDICAL_TERM:lupus>") == [
        "[MEDICAL_TERM_1]",
        "[BLOOD_TYPE_1]",
        "[MEDICAL_TERM_2]",
    ]


def test_a_date_in_another_form_moves_by_as_much() -> None:
    first, second = values("<DATE:2024-03-18>, then <DATE:20.03.2024>")
    year, month, day = map(int, first.split("-"))
    assert second == (date(year, month, day) + timedelta(days=2)).strftime("%d.%m.%Y")


def test_one_date_that_was_found_in_two_parts_is_still_read() -> None:
    # NorDeid printed "den <Date_Part>28.</Date_Part> <Date_Part>08,</Date_Part>"; found as one, it moves so.
    out = replaced(["den <DATE:28. 08>, innlagt <DATE:26.01 17>"])
    assert re.fullmatch(r"den \d\d?\. \d\d?, innlagt \d\d\.\d\d \d\d", out.texts[0])


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
def test_no_value_is_an_original_and_the_same_entity_has_one(
    mentions: list[str], conversation_id: str
) -> None:
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
def test_every_text_has_a_value(info_type: str, text: str) -> None:
    value = values(f"<{info_type}:{text}>")[0]
    assert value
    assert value.strip().casefold() != text.strip().casefold()


def test_earlier_conversations_do_not_change_surrogates() -> None:
    replacer = SurrogateReplacer(SECRET)
    alone = replacer.values(linked(EVERYTHING))
    replacer.values(linked(EVERYTHING, conversation_id="call 2"))
    assert replacer.values(linked(EVERYTHING)) == alone


def test_tagged_surrogates_without_their_tags_are_the_others() -> None:
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


def test_a_name_before_a_bare_apostrophe_ends_in_an_s() -> None:
    whose, who = values("<PERSON_NAME:James>' car is here.", "<PERSON_NAME:James> came.")
    assert whose == who
    assert whose[-1] in "sxz"
