import pytest

from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import Values, replace_conversation
from tacenda.transforms.replacing.spelling import AsRead, as_read, as_spelled
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

MAIL = "EMAIL_ADDRESS"


def at(text: str, *words: str) -> list[Finding]:
    return [
        Finding(text.index(word), text.index(word) + len(word), MAIL, Likelihood.LIKELY, "rules")
        for word in words
    ]


def linked(texts: list[str], findings: list[list[Finding]]) -> LinkedConversation:
    read = AsRead(texts, findings)
    return read.spelled(link_conversation(read.texts, [None] * len(texts), read.findings, {}))


def replaced(text: str, word: str, value: str) -> str:
    conversation = linked([text], [at(text, word)])
    return replace_conversation(conversation, as_spelled(conversation, Values([[value]], {}))).texts[0]


def test_an_escaped_value_is_linked_as_it_reads() -> None:
    texts = ["https://x.example/?to=ann%40x.org&z=1", "I am ann@x.org", "<a><b>ann&#64;x.org</b></a>"]
    words = ["ann%40x.org", "ann@x.org", "ann&#64;x.org"]
    findings = [at(text, word) for text, word in zip(texts, words, strict=True)]
    conversation = linked(texts, findings)
    assert conversation.entities == [[1], [1], [1]]
    assert conversation.findings == findings
    assert conversation.texts == texts


def test_replacers_see_the_value_as_it_reads() -> None:
    text = "see https://x.example/?name=Ann%20M%C3%BCller+Lee&z=1 now"
    conversation = linked([text], [at(text, "Ann%20M%C3%BCller+Lee")])
    read = as_read(conversation)
    finding = read.findings[0][0]
    assert read.texts[0][finding.start : finding.end] == "Ann Müller Lee"
    assert read.texts[0].endswith("&z=1 now")


@pytest.mark.parametrize(
    ("text", "word", "value", "expected"),
    [
        (
            "https://x.example/?to=ann%40x.org&z=1",
            "ann%40x.org",
            "[EMAIL_ADDRESS_1]",
            "https://x.example/?to=%5BEMAIL_ADDRESS_1%5D&z=1",
        ),
        (
            "https://x.example/?to=ann@x.org",
            "ann@x.org",
            "eva&co@y.org",
            "https://x.example/?to=eva%26co@y.org",
        ),
        ("<a>Ann &amp; co</a>", "Ann &amp; co", "<b> & 'c'", "<a>&lt;b&gt; &amp; 'c'</a>"),
        ('<a b="Ann"/>', "Ann", 'a "b"', '<a b="a &quot;b&quot;"/>'),
        ("<a><![CDATA[Ann]]></a>", "Ann", "x & y", "<a><![CDATA[x & y]]></a>"),
        ("Ann & <co>", "Ann", "x & y", "x & y & <co>"),
    ],
)
def test_what_replaces_a_value_is_escaped_as_its_place_requires(
    text: str, word: str, value: str, expected: str
) -> None:
    assert replaced(text, word, value) == expected
