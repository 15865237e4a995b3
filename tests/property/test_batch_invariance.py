"""The result for a conversation does not depend on its neighbours, their order or the packing."""

from functools import lru_cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.models.token_classifier.loading import loaded, package_of
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.pipelines.chain.build import build_chain
from tacenda.pipelines.config.detectors import DEFAULT, DetectorSettings
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.config.sections import RiskSettings
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.text.column import TextColumn

# Beginnings and ends of what detectors look for, so that neighbours could complete each other.
PIECES = (
    "my name is", "Ann-Marie O'Neill", "ann", "Smith", "dr", "BERG", "thanks", "bye", "ok so", "\n",
    "?", ".", ",", "my number is", "call", "+46 70", "123 45 67", "oh seven oh", "double five",
    "four one one one", "4111 1111", "1111 1111", "my social is", "078-05-", "1120", "ann@",
    "example.com", "at gmail dot com", "w w w dot", "I live in", "New York", "storgatan", "12 b",
    "Åsa från Växjö", "born on", "3 May 1985", "the account", "S A M as in", "password is", "hunter2",
    "IBAN DE89 3704", "0044 0532 0130 00", "[PERSON_NAME_1]", "[", "日本語 東京", "नमस्ते", "x" * 120,
    "lorem ipsum " * 40, "192.168.", "0.1", "invoice 2291 of", "Scranton, PA 18503", "\u0301",
)  # fmt: skip

turns = st.lists(st.sampled_from(PIECES), max_size=8).map(" ".join)
talks = st.lists(st.tuples(st.sampled_from([None, "agent", "Pam", "Dr. Berg", "4"]), turns), max_size=5)
corpora = st.lists(talks, min_size=2, max_size=6)
MODEL = ModelSettings(None, package_of(None).fingerprint, package_of(None).decision)


@lru_cache(maxsize=1)
def default_chain():
    inspect = parse_inspect_config({})
    asked = DetectorSettings(DEFAULT, inspect, inspect, models=(MODEL,))
    return build_chain(ChainSettings("anonymize", asked, RiskSettings(), ""))


def outcomes(several):
    outcome = default_chain().run(ConversationBatch.of_turns(several))
    assert not outcome.rejections
    columns = outcome.texts, outcome.speakers, outcome.findings, outcome.entities
    for i, (start, stop) in enumerate(pairwise(outcome.batch.first_cell)):
        yield (*(column[start:stop] for column in columns), outcome.risks[i])


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(corpora, st.randoms(use_true_random=False))
def test_the_default_chain_gives_the_same_result_in_any_batch(several, random):
    alone = [next(outcomes([talk])) for talk in several]
    assert list(outcomes(several)) == alone
    order = random.sample(range(len(several)), len(several))
    assert list(outcomes([several[i] for i in order])) == [alone[i] for i in order]
    assert list(outcomes([*several[:1], *several])) == [alone[0], *alone]


@lru_cache(maxsize=8)
def scorer(budget):
    whole = loaded(MODEL).scorer
    package = package_of(None)
    session, encoder = whole._session, whole._encoder
    made = Scorer(encoder, session, len(package.labels), package.max_places, package.context, True)
    made._budget = budget or session.budget
    return made


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.lists(turns, min_size=1, max_size=4), min_size=1, max_size=5),
    st.sampled_from([None, 1, 40, 97, 300, 4000]),
    st.randoms(use_true_random=False),
)
def test_scores_of_a_conversation_are_bit_identical_in_any_packing(several, budget, random):
    first = np.cumsum([0, *map(len, several)]).tolist()
    alone = [scorer(None).score(TextColumn(talk, [0, len(talk)])).probabilities for talk in several]
    order = random.sample(range(len(several)), len(several))
    for which in (list(range(len(several))), order):
        texts = [text for i in which for text in several[i]]
        first = np.cumsum([0, *(len(several[i]) for i in which)]).tolist()
        scored = scorer(budget).score(TextColumn(texts, first))
        bounds = scored.encoded.first_token[first]
        for i, begin, end in zip(which, bounds[:-1], bounds[1:], strict=True):
            assert np.array_equal(scored.probabilities[begin:end], alone[i])


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_scores_are_bit_identical_with_any_number_of_threads(threads):
    texts = [
        "my name is Ann-Marie O'Neill from Scranton, PA 18503 " * 6,
        "thanks",
        "call +46 70 123 45 67 " * 9,
    ]
    one = loaded(MODEL).scorer.score(TextColumn(texts, [0, 1, 2, 3])).probabilities
    other = loaded(ModelSettings(None, MODEL.fingerprint, MODEL.decision, threads=threads)).scorer
    assert np.array_equal(other.score(TextColumn(texts, [0, 1, 2, 3])).probabilities, one)
