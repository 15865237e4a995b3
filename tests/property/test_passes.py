"""After the passes findings are disjoint, sorted, within the text, independent of order, and lose no data."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from tacenda.pipelines.chain.passes import PASSES, Conversation, drop_code, propagate, run_passes
from tacenda.transforms.detecting.overlaps import resolve
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

RANK = {"CREDIT_CARD_NUMBER": 95, "STREET_ADDRESS": 82, "PERSON_NAME": 60, "LOCATION": 60, "ZIP_CODE": 35,
        "GENERIC_ID": 40, "ORGANIZATION_NAME": 60, "EMAIL_ADDRESS": 96, "NUMERIC": 1,
        "SPELLED_WORD": 2}  # fmt: skip
WORDS = ["Hello", "Ann", "Lee", "and", "Karlsson", "12", "$129.99", "2024-03-18", "St", ",", ":", "\n", "it's",
         "dr", "5x", "A B C", "(", "åäö", "号1234", "dot", "at", "for"]  # fmt: skip
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).flatmap(
    lambda words: st.sampled_from([" ".join(words), "".join(words)])
)
TOP = "IBAN_CODE"


@st.composite
def _cells(draw):
    text = draw(TEXTS)
    places = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)
    findings = st.builds(
        lambda place, name, likelihood, detector: Finding(*place, name, likelihood, detector),
        places,
        st.sampled_from([*RANK, "OWN_TYPE"]),
        st.sampled_from(list(Likelihood)),
        st.sampled_from(["rules", "spoken", "model", "gazetteer"]),
    )
    return text, draw(st.lists(findings, max_size=9))


def _fitted(text, findings):
    """What is left of the findings of a cell after all passes but propagation."""
    passes = [one for one in PASSES if one is not propagate]
    left = run_passes(Conversation([text], [None], rank=RANK), [findings], passes)
    return left[0]


def _letters(text, findings):
    return {i for f in findings for i in range(f.start, f.end) if text[i].isalnum()}


@given(_cells(), st.randoms())
def test_findings_are_disjoint_sorted_inside_and_the_same_in_any_order(cell, random):
    text, findings = cell
    fitted = _fitted(text, findings)
    assert all(0 <= f.start < f.end <= len(text) for f in fitted)
    assert all(a.end <= b.start for a, b in itertools.pairwise(fitted))
    assert _fitted(text, random.sample(findings, len(findings))) == fitted


@given(_cells(), st.data())
def test_every_letter_of_what_ranks_highest_stays_covered(cell, data):
    text, findings = cell
    start, end = sorted((data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text)))))
    top = Finding(start, end, TOP, Likelihood.VERY_LIKELY, "rules")
    fitted = resolve(text, [*findings, top], {**RANK, TOP: 99, "OWN_TYPE": 50})
    assert _letters(text, [top]) <= _letters(text, fitted)


@given(_cells())
def test_resolving_covers_every_name_and_address_and_drops_but_words_before_numbers(cell):
    text, findings = cell
    resolved = _letters(text, resolve(text, findings, RANK))
    kept = [f for f in findings if f.info_type in ("PERSON_NAME", "LOCATION", "STREET_ADDRESS")]
    assert _letters(text, kept) <= resolved <= _letters(text, findings)
    assert not any(text[i].isdigit() for i in _letters(text, findings) - resolved)


@given(_cells())
def test_code_beside_prose_uncovers_nothing_of_the_prose(cell):
    text, findings = cell
    without = _letters(text, drop_code(Conversation([text], [None]), [findings])[0])
    for added in (
        "\n```python\nx = 1\n```\n",
        "\n2026-01-05T10:00:00Z INFO up status=200\n",
        "\n\nSee `main.py`.\n",
    ):
        beside = drop_code(Conversation([text + added], [None]), [findings])[0]
        assert _letters(text, beside) == without


@given(
    st.lists(_cells(), min_size=2, max_size=3), st.sampled_from(["{}", "```sh\n{}\n```", "x = '{}'", "`{}`"])
)
def test_from_propagation_on_nothing_found_is_uncovered(cells, frame):
    before = frame.index("{")
    texts = [frame.format(text) for text, _ in cells]
    findings = [
        resolve(text, [f._replace(start=f.start + before, end=f.end + before) for f in found], RANK)
        for text, (_, found) in zip(texts, cells, strict=True)
    ]
    conversation = Conversation(texts, [None] * len(texts), rank=RANK)
    left = run_passes(conversation, findings, PASSES[PASSES.index(propagate) :])
    for text, found, kept in zip(texts, findings, left, strict=True):
        assert _letters(text, found) <= _letters(text, kept)
