"""Propagated findings lie within their cell, are new, and depend only on their own conversation."""

from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.linking.propagation.mentions import find_mentions
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

INFO_TYPES = (
    *("PERSON_NAME", "PHONE_NUMBER", "EMAIL_ADDRESS", "STREET_ADDRESS", "SPELLED_WORD", "LOCATION"),
    "AGE",
)
PIECES = (
    "Ann", "ann", "Lee", "LEE", "l", "e", "a", "n", "Lee's", "lees", "Will", "will", "you", "Mark", "marc",
    "M-A-R-K", "annlee42", "alee", "Anita", "Äñn", "李伟", "李", "伟", "रवि", "415", "555", "0199",
    "4155550199", "12", "Elm", "Street", "a@b.c", "ann.lee", "[PERSON_NAME_1]", "[", "_", "'", ".", ",", "-",
    "\n", "\0", "\x01", "ß", "İ", "𝔄",
)  # fmt: skip
WORDS = st.sampled_from(PIECES)
TEXTS = st.lists(st.tuples(WORDS, st.sampled_from([" ", "", " "])).map("".join), max_size=12).map("".join)


@st.composite
def conversations(draw):
    texts = draw(st.lists(TEXTS, max_size=4))
    findings = [[*_findings(draw, text)] for text in texts]
    labels = draw(st.lists(TEXTS, max_size=2))
    return texts, findings, dict.fromkeys(labels, "PERSON_NAME")


def _findings(draw, text):
    edges = sorted(draw(st.sets(st.integers(0, len(text)), max_size=4)))
    kinds = st.sampled_from(INFO_TYPES)
    return [
        Finding(start, end, draw(kinds), Likelihood.LIKELY, "rules")
        for start, end in zip(edges[::2], edges[1::2], strict=False)
    ]


@given(conversations())
def test_mentions_are_disjoint_in_their_cells_and_new(conversation):
    texts, findings, labels = conversation
    more = find_mentions(texts, findings, labels)
    assert len({cell for cell, _ in more}) == len(more)
    for cell, mentions in more:
        assert mentions
        covered = {i for one in findings[cell] for i in range(one.start, one.end)}
        reach = 0
        for mention in mentions:
            assert reach <= mention.start < mention.end <= len(texts[cell])
            reach = mention.end
            assert not covered.issuperset(range(mention.start, mention.end))
    assert find_mentions(texts, findings, labels) == more
