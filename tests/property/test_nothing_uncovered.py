"""What detectors cover stays covered: only measured passes, and a user's rules, may uncover letters."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.config import Config
from tacenda.models.token_classifier.decoding import verdicts
from tacenda.models.token_classifier.loading import loaded
from tacenda.pipelines.chain.build import build_detectors
from tacenda.pipelines.chain.passes import PASSES, Conversation, resolve_overlaps
from tacenda.pipelines.config.detectors import MODEL
from tacenda.settings import settings_of
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.evaluating.gold_reading import gold_labels
from tacenda.transforms.generating.sample.dialogue import conversations as sample_calls
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tests.additions import Search, additions, conversations, records, with_addition
from tests.passes import USERS, measured, tried

ALLOWED = 0.0005
"""Of the letters of gold."""
LABELS = gold_labels()
WORDS = [
    "Hello", "Ann", "Lee", "and", "Karlsson", "12", "$129.99", "2024-03-18", "St", ",", ":", "\n", "it's", "dr",
    "5x", "A B C", "(", "åäö", "号1234", "dot", "at", "for", "`", "```", "x = ann", "user=ann", "https://a.b/c",
    "{", "}", "=", "| a |", "X-To:", "ANN", "Mr", "Lees", "the", "will", "o'Neil",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).flatmap(
    lambda words: st.sampled_from([" ".join(words), "".join(words)])
)
NAMES = ("PERSON_NAME", "LOCATION", "ORGANIZATION_NAME")
TYPES = (*NAMES, "STREET_ADDRESS", "GENERIC_ID", "NUMERIC", "URL", "AGE")


@st.composite
def cells(draw):
    texts = draw(st.lists(TEXTS, min_size=1, max_size=3))
    found = []
    for text in texts:
        findings = st.builds(
            lambda place, name, likelihood, detector: Finding(*place, name, likelihood, detector),
            st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
            .map(sorted)
            .filter(lambda place: place[0] < place[1]),
            st.sampled_from(TYPES),
            st.sampled_from(list(Likelihood)),
            st.sampled_from(["rules", "spoken", "model", "gazetteer"]),
        )
        found.append(sorted(draw(st.lists(findings, max_size=6))))
    return texts, found


def letters(texts, findings):
    return {
        (cell, k)
        for cell, (text, several) in enumerate(zip(texts, findings, strict=True))
        for one in several
        for k in range(one.start, one.end)
        if text[k].isalnum()
    }


@given(cells())
def test_only_measured_passes_uncover_letters(given_cells):
    texts, found = given_cells
    allowed = measured() & {one.__name__ for one in tried()} | {one.__name__ for one in USERS}
    conversation = Conversation(texts, [None] * len(texts), rank=ranks())
    before, found_before = letters(texts, found), found
    findings = found
    for one in PASSES:
        findings = one(conversation, findings)
        after = letters(texts, findings)
        lost = before - after if one.__name__ not in allowed else set()
        if one is resolve_overlaps:
            # Words that lead to a number, where another finding has the number itself.
            names = letters(texts, [[f for f in cell if f.info_type in NAMES] for cell in found_before])
            lost = {(cell, k) for cell, k in lost if (cell, k) in names or texts[cell][k].isdigit()}
        assert not lost
        before, found_before = after, findings


@pytest.mark.slow
def test_passes_uncover_next_to_none_of_the_gold_of_generated_conversations():
    search = Search()
    given_ones = conversations(260)
    ways = [sides for several in additions().values() for sides in several]
    generated = [*records(with_addition(given_ones, ways), gold=True), *sample_calls(3, 0, 120)]
    count = uncovered = 0
    for batch in search.batches(generated):
        work = search.chain.work(batch)
        assert not work.failed
        for i in range(len(batch)):
            own = slice(batch.first_cell[i], batch.first_cell[i + 1])
            # A frame makes JSON of turns, whose spans are ranges of the whole.
            if batch.json_texts[i]:
                continue
            texts = batch.texts[own]
            spans = [[s for s in cell if LABELS.kind(s.label) == "core"] for cell in batch.spans[own]]
            count += sum(span.end - span.start for cell in spans for span in cell)
            found, left = work.found.sure[own], work.outcome.findings[own]
            uncovered += len(letters(texts, spans) & letters(texts, found) - letters(texts, left))
    assert count > 20_000
    assert uncovered <= ALLOWED * count


def test_no_filter_drops_what_the_network_finds_at_its_thresholds():
    settings = settings_of(Config(), "inspect").chain
    (model,) = settings.detecting.models
    network = loaded(model)
    (detector,) = build_detectors(replace(settings.detecting, names=(MODEL,)))
    asked = [
        name
        for name in settings.detecting.rules.info_types
        if name in model.decision.info_types(network.classes)
    ]
    least = settings.detecting.rules.thresholds(asked, None)
    for one in conversations(40):
        (block,) = TextColumn(list(one.turns), [0, len(one.turns)]).blocks
        found = detector.find(block)
        scored = network.scorer.score(block.readable)
        on = verdicts(scored.probabilities, network.classes, model.decision, asked)
        sure = on.likelihoods >= np.array([least[name] for name in asked])[on.info_types]
        tokens = zip(scored.encoded.starts, scored.encoded.ends, sure, strict=True)
        cell_of = np.repeat(np.arange(len(one.turns)), np.diff(scored.encoded.first_token))
        for cell, (start, end, is_sure) in zip(cell_of.tolist(), tokens, strict=True):
            assert not is_sure or any(f.start <= start and end <= f.end for f in found[cell])
