"""What parses before parses after, whatever is found in it and whatever replaces it; names of values stay."""

import email
from urllib.parse import parse_qsl, quote, urlsplit
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.detecting.overlaps import merge_overlapping
from tacenda.transforms.detecting.structures.narrowing import narrowed
from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.replacing.replacement import Values, replace_conversation
from tacenda.transforms.replacing.spelling import AsRead, as_spelled
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

TYPES = ("PERSON_NAME", "EMAIL_ADDRESS", "URL", "GENERIC_ID")
NEW = ("[PERSON_NAME_1]", 'Eva & <Bo> "O\'Hara" =?#/+% é', "]]>", "x--", "Åsa Lind", "")
said = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=12)
spots = st.lists(st.tuples(st.integers(0, 200), st.integers(1, 60), st.sampled_from(TYPES)), max_size=6)
new = st.sampled_from(NEW)


def replaced(text: str, places: list[tuple[int, int, str]], value: str) -> str:
    """A text in which findings anywhere are replaced by one value."""
    found = [
        Finding(start, min(start + length, len(text)), info_type, Likelihood.LIKELY, "rules")
        for start, length, info_type in places
        if start < len(text)
    ]
    found = merge_overlapping(narrowed(text, found), {})
    read = AsRead([text], [found])
    conversation = read.spelled(link_conversation(read.texts, [None], read.findings, {}))
    values = Values([[value] * len(conversation.findings[0])], {})
    return replace_conversation(conversation, as_spelled(conversation, values)).texts[0]


@given(st.lists(said, min_size=3, max_size=3), spots, new)
def test_a_url_keeps_scheme_path_and_keys(
    values: list[str], places: list[tuple[int, int, str]], value: str
) -> None:
    segment, first, second = (quote(one, safe="") for one in values)
    url = f"https://shop.example/a/{segment}?one={first}&lang=en&two={second}"
    before, after = urlsplit(url), urlsplit(replaced(url, places, value))
    assert after.scheme == before.scheme
    assert after.path.count("/") == before.path.count("/")
    keys = [key for key, _ in parse_qsl(before.query, keep_blank_values=True)]
    assert [key for key, _ in parse_qsl(after.query, keep_blank_values=True)] == keys


@given(st.sampled_from(TYPES), new)
def test_what_is_nobodys_in_a_url_stays(info_type: str, value: str) -> None:
    url = "https://shop.example/orders/new?email=ann@x.org&id=55&lang=en&page=2"
    written = replaced(url, [(0, len(url), info_type)], value)
    start, end = "https://shop.example/orders/new?email=", "&id=55&lang=en&page=2"
    assert written.startswith(start)
    assert written.endswith(end)
    assert dict(parse_qsl(urlsplit(written).query, keep_blank_values=True))["email"] == value


@given(st.lists(said, min_size=3, max_size=3), spots, new)
def test_xml_among_text_keeps_its_elements(
    values: list[str], places: list[tuple[int, int, str]], value: str
) -> None:
    name, note, attribute = values
    xml = f"<a><b c={quoteattr(attribute)}>{escape(name)}</b><d>{escape(note)} <e/> x</d></a>"
    written = replaced(f"see {xml} now", places, value)
    tags = [one.tag for one in ElementTree.fromstring(xml).iter()]
    start, end = written.index("<a>"), written.rindex("</a>") + 4
    assert [one.tag for one in ElementTree.fromstring(written[start:end]).iter()] == tags


@given(said, spots, st.sampled_from(["[PERSON_NAME_1]", "Eva Lind"]))
def test_a_header_keeps_its_fields_and_dates(
    name: str, places: list[tuple[int, int, str]], value: str
) -> None:
    plain = "".join(filter(str.isalnum, name)) or "x"
    mail = (
        f"From: {plain} <ann@x.org>\nTo: bo@x.org\nDate: Mon, 5 Jan 2026 10:00:00 +0000\n"
        f"Subject: about {plain}\n\nHi {plain}"
    )
    before, after = (email.message_from_string(one) for one in (mail, replaced(mail, places, value)))
    assert after.keys() == before.keys()
    assert after["Date"] == before["Date"]
    assert after["From"].count("<") == after["From"].count(">") == 1


@given(said, spots, st.sampled_from(["[PERSON_NAME_1]", "Eva_Lind"]))
def test_a_line_of_a_log_keeps_time_level_and_keys(
    name: str, places: list[tuple[int, int, str]], value: str
) -> None:
    plain = "".join(filter(str.isalnum, name)) or "x"
    line = f"2026-01-05T10:00:00Z WARN web[12]: user={plain} mail={plain}@x.org n=5"
    written = replaced(line, places, value)
    assert written.startswith("2026-01-05T10:00:00Z WARN")
    place = 0
    for kept in (" web[12]:", "user=", "mail=", "n="):
        place = written.index(kept, place)
