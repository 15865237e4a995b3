"""The decision rules on small matrices, computed by hand; and properties of any matrix."""

import numpy as np
import pytest

from tacenda.models.token_classifier import scoring
from tacenda.models.token_classifier.decoding import Verdicts, companions, verdicts
from tacenda.models.token_classifier.decoding_settings import Decision, Rule, read_decision
from tacenda.models.token_classifier.detector import misses_words
from tacenda.models.token_classifier.encoding import TokenColumns
from tacenda.models.token_classifier.labels import meanings, read_label_map, shipped
from tacenda.models.token_classifier.onnx_session import OnnxSession, softmax
from tacenda.models.token_classifier.scoring import Scorer, hash_conversations
from tacenda.models.token_classifier.spans import spans
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tests.cases import cases

CLASSES = [None, "A", "B", "A"]

"""The second and the last class are two raw labels of one infoType."""

P = np.array(
    [[0.90, 0.05, 0.04, 0.01], [0.70, 0.10, 0.15, 0.05], [0.10, 0.30, 0.20, 0.40], [0.00, 0.00, 1.00, 0.00]],
    np.float32,
)


def fired(on, asked):
    return [
        asked[k] if likelihood >= 3 else None
        for k, likelihood in zip(on.info_types.tolist(), on.likelihoods.tolist(), strict=True)
    ]


@pytest.mark.parametrize(
    ("decision", "asked", "expected"), cases(__file__, "test_labels_above_the_threshold_are_chosen")
)
def test_labels_above_the_threshold_are_chosen(decision, asked, expected):
    assert fired(verdicts(P, CLASSES, read_decision(decision, ""), asked), asked) == expected


def test_a_sum_of_no_more_than_the_threshold_does_not_fire_and_nothing_gives_nothing():
    half, asked = np.array([[0.5, 0.5, 0, 0]], np.float32), ["A", "B"]
    assert fired(verdicts(half, CLASSES, Decision(Rule.SUM, 0.5), asked), asked) == [None]
    assert not verdicts(P, CLASSES, Decision(), []).likelihoods.any()
    assert len(verdicts(P[:0], CLASSES, Decision(), ["A"]).scores) == 0


@pytest.mark.parametrize(
    ("probability", "likelihood"),
    [(0.049, 0), (0.051, 1), (0.11, 2), (0.21, 3), (0.46, 3), (0.47, 4), (0.73, 4), (0.74, 5), (1.0, 5)],
)
def test_likelihood_says_how_far_from_the_threshold(probability, likelihood):
    row = np.array([[1 - probability, probability, 0, 0]], np.float32)
    assert verdicts(row, CLASSES, Decision(Rule.SUM, 0.2), ["A", "B"]).likelihoods.tolist() == [likelihood]


@pytest.mark.parametrize("rule", list(Rule))
def test_a_higher_threshold_never_finds_more(rule):
    generator = np.random.default_rng(7)
    rows = generator.dirichlet([4, 1, 1, 1], 500).astype(np.float32)
    asked = ["A", "B"]
    limits = np.linspace(0, 1, 41)
    before = np.ones(500, bool)
    for limit in limits:
        decision = Decision(rule, float(limit), (), "B")
        now = verdicts(rows, CLASSES, decision, asked).likelihoods >= 3
        assert not (now & ~before).any()
        before = now
    assert not before[1:].all()


@pytest.mark.parametrize(
    ("data", "decision"),
    [
        ({}, Decision(Rule.SUM, 0.2)),
        ({"threshold": 0.5, "thresholds": {"B": 1, "A": 0.1}},
         Decision(Rule.SUM, 0.5, (("A", 0.1), ("B", 1.0)))),
        ({"hysteresis": 0.5}, Decision(Rule.SUM, 0.2, hysteresis=0.5)),
        ({"rule": "binary", "info_type": "PASSWORD"}, Decision(Rule.BINARY, 0.2, (), "PASSWORD")),
    ],
)  # fmt: skip
def test_valid_settings_are_read(data, decision):
    read = read_decision(data, "here")
    assert read == decision
    assert read_decision(read.to_dict(), "here") == read


@pytest.mark.parametrize(("data", "wrong"), cases(__file__, "test_invalid_settings_are_refused"))
def test_invalid_settings_are_refused(data, wrong):
    with pytest.raises(UserError) as raised:
        read_decision(data, "here")
    assert str(raised.value).startswith(wrong)


def flags(text):
    return np.array([sign == "x" for sign in text], np.bool_)


@pytest.mark.parametrize(
    ("found", "near", "linked", "of"),
    cases(__file__, "test_a_word_near_the_threshold_is_joined_to_a_found_neighbour"),
)
def test_a_word_near_the_threshold_is_joined_to_a_found_neighbour(found, near, linked, of):
    assert companions(flags(found), flags(near), flags(linked)).tolist() == of


PERSON, PLACE = "PERSON_NAME", "LOCATION"

POSSIBLE, LOWEST = [Likelihood.POSSIBLE] * 2, [Likelihood.VERY_UNLIKELY] * 2

TEXT = "Smith Annabel"

"""The tokens are "Smith", "Anna" and "bel"."""


def _sure(first, floors, on, starts=(0, 6, 10)):
    """The findings at ``first`` if the tokens that reach ``floors`` are considered."""
    zeros = np.zeros(3, np.int32)
    ends = np.array([starts[1] - (starts[0] == 0), starts[2], len(TEXT)], np.int32)
    starts = np.array(starts, np.int32)
    encoded = TokenColumns(zeros, starts, ends, zeros.astype(np.int8), np.array([0, 3], np.int32))
    places = spans(TextColumn([TEXT]), encoded, on, [PERSON, PLACE], floors, POSSIBLE, first)
    return [
        (TEXT[start:end], name)
        for (name, some), least in zip(places.items(), first, strict=True)
        for start, end, likelihood in zip(some.starts, some.ends, some.likelihoods, strict=True)
        if likelihood >= least
    ]


def _verdicts(info_types, likelihoods, scores, near):
    kinds, steps = np.array(info_types, np.int64), np.array(likelihoods, np.int64)
    heard = np.array(scores, np.float32)
    return Verdicts(kinds, steps, heard, np.array(near, np.bool_))


def test_hysteresis_does_not_depend_on_the_number_of_scored_tokens():
    # "Anna" is surer than "bel", but of another infoType, whose threshold is higher.
    on = _verdicts([0, 1, 0], [5, 2, 2], [0.9, 0.6, 0.35], [1, 0, 1])
    assert _sure(POSSIBLE, POSSIBLE, on) == [("Smith Annabel", PERSON)]
    assert _sure(POSSIBLE, LOWEST, on) == [("Smith Annabel", PERSON)]


def test_tokens_hidden_from_the_first_look_do_not_support_others():
    # Persons are found from the lowest step on, places are not.
    first = [Likelihood.VERY_UNLIKELY, Likelihood.POSSIBLE]
    on = _verdicts([0, 1, 0], [0, 2, 1], [0.0, 0.6, 0.1], [0, 0, 0])
    assert _sure(first, first, on) == [("Annabel", PERSON)]
    assert _sure(first, LOWEST, on) == [("Annabel", PERSON)]


def test_a_second_look_changes_no_infotype_of_the_first():
    # "An" outweighs "na" until "bel", which only the second look sees, says the same as "na".
    on = _verdicts([1, 0, 0], [3, 3, 1], [0.31, 0.3, 0.1], [0, 0, 0])
    within = 6, 8, 10
    assert (
        _sure(POSSIBLE, POSSIBLE, on, within) == _sure(POSSIBLE, LOWEST, on, within) == [("Annabel", PLACE)]
    )


def test_the_shipped_maps():
    assert tuple(shipped()) == ("conll", "i2b2", "kaggle_essays", "kb_bert", "meddocan", "ontonotes")
    for name, labels in shipped().items():
        assert {m for m in labels.values() if m is not None} <= {*catalogue()}, name
        assert "PERSON_NAME" in labels.values()


@pytest.mark.parametrize(("label_map", "labels", "expected"), cases(__file__, "test_meanings"))
def test_meanings(label_map, labels, expected):
    given = None if label_map is None else read_label_map(label_map)
    assert list(meanings(labels, given, "m")) == expected


@pytest.mark.parametrize("meaning", ["PERSN_NAME", "person_name", "PRODUCT", ""])
def test_a_label_that_leads_to_no_infotype_is_refused(meaning):
    with pytest.raises(UserError) as raised:
        read_label_map({"LOC": "LOCATION", "PER": meaning})
    assert str(raised.value) == (
        f"label_map: label PER means {meaning or '(empty)'}, which is not an infoType; "
        "see 'tacenda config infotypes', or write null"
    )


@pytest.mark.parametrize(
    ("label_map", "labels", "wrong"), cases(__file__, "test_a_label_without_meaning_is_refused")
)
def test_a_label_without_meaning_is_refused(label_map, labels, wrong):
    with pytest.raises(UserError, match=wrong):
        meanings(labels, label_map and read_label_map(label_map), "m")


TEXTS = ["hello Pam", "mr zzyzx from New York", "", "maybe " * 50, "Dwight"]

FIRST_CELL = [0, 2, 2, 5]


@pytest.fixture
def session(tiny):
    return OnnxSession(tiny / "model.onnx", 4)


@pytest.mark.parametrize(("places", "context"), [(16, 4), (8, 2), (400, 8)])
@pytest.mark.parametrize("budget", [1, 64, 4096])
def test_scores_do_not_depend_on_blocks(encoder, session, places, context, budget):
    session.budget = 1
    whole = Scorer(encoder, session, 4, 4000, 0, True).score(TextColumn(TEXTS, FIRST_CELL))
    session.budget = budget
    cut = Scorer(encoder, session, 4, places, context, True).score(TextColumn(TEXTS, FIRST_CELL))
    assert np.array_equal(cut.encoded.ids, whole.encoded.ids)
    assert np.array_equal(cut.probabilities, whole.probabilities)
    assert np.allclose(cut.probabilities.sum(axis=1), 1)


def test_case_can_be_ignored(encoder, session):
    with_case = Scorer(encoder, session, 4, 16, 4, True).score(TextColumn(["Will"])).probabilities
    without = Scorer(encoder, session, 4, 16, 4, False).score(TextColumn(["Will"])).probabilities
    assert with_case[0, 1] == pytest.approx(0.451, abs=1e-3)
    assert without[0, 1] == pytest.approx(0.1, abs=1e-3)


class Gated:
    """Drops "maybe" in every row, unless all of it is requested; otherwise the tiny model."""

    budget, pads, gated = 64, True, True

    def __init__(self, plain, held):
        self.plain, self.held, self.asked_whole = plain, held, 0

    def scores(self, ids, mask, types, whole=False):
        logits = self.plain.scores(ids, mask, types)
        self.asked_whole += len(ids) * whole
        if not whole:
            logits[ids == self.held] = [20, 0, 0, 0]
        return logits


def test_a_sample_of_dropped_places_is_fully_scored_and_counts(tiny, encoder, monkeypatch):
    monkeypatch.setattr(scoring, "SAMPLED", 0.25)
    (held,) = encoder.encode(TextColumn(["maybe"])).ids.tolist()
    session = Gated(OnnxSession(tiny / "model.onnx", 4), held)
    scorer = Scorer(encoder, session, 4, 16, 2, casing=True)
    several = [["hello maybe " + "it is " * (i % 5)] * (1 + i % 9) for i in range(120)]
    first_cell = np.cumsum([0, *map(len, several)]).tolist()
    scored = scorer.score(TextColumn([text for one in several for text in one], first_cell))
    back, sampled = scored.held_back
    assert np.array_equal(back, scored.encoded.ids == held)
    assert 0.1 < sampled.sum() / back.sum() < 0.4
    assert session.asked_whole > 0
    assert (scored.probabilities[back & ~sampled, 0] > 0.999).all()
    assert np.allclose(scored.probabilities[sampled, 1], 0.3, atol=1e-3)
    # Which are sampled is the conversation's own affair.
    alone = [scorer.score(TextColumn(one, [0, len(one)])).held_back.sampled for one in several]
    assert np.array_equal(np.concatenate(alone), sampled)


class Broken:
    """Returns a wrong shape, or values that are not numbers."""

    budget, pads, gated = 64, True, False

    def __init__(self, what):
        self.what = what

    def scores(self, ids, mask, types, whole=False):
        logits = np.zeros((*ids.shape, 4), np.float32)
        logits[0, 1] = np.nan
        return logits[:, :-1] if self.what == "short" else logits


@pytest.mark.parametrize(("what", "error"), [("short", "ModelMisshaped"), ("nan", "TokensUnscored")])
def test_an_invalid_network_output_is_an_error(encoder, what, error):
    with pytest.raises(RecordError, match=rf"^{error}$"):
        Scorer(encoder, Broken(what), 4, 16, 4, True).score(TextColumn(["hello"]))


def test_a_token_without_score_fails(encoder, session, monkeypatch):
    honest = scoring.blocks
    for lossy in (lambda *a: list(honest(*a))[1:], lambda *a: list(honest(*a)) * 2):
        monkeypatch.setattr(scoring, "blocks", lossy)
        with pytest.raises(RecordError, match=r"^TokensUnscored$"):
            Scorer(encoder, session, 4, 16, 4, True).score(TextColumn(TEXTS, FIRST_CELL))


def test_softmax_of_large_numbers():
    rows = np.array([[1000, 1000, 0], [-1000, -1000, -1000]], np.float32)
    assert np.allclose(softmax(rows), [[0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3]])
    assert softmax(rows[:0]).shape == (0, 3)


def encoded(*tokens, first):
    starts, ends = (np.array(column, np.int32) for column in zip(*tokens, strict=True))
    return TokenColumns(starts, starts, ends, starts.astype(np.int8), np.array(first, np.int32))


@pytest.mark.parametrize(
    ("tokens", "missed"),
    [([(0, 3), (4, 7)], False), ([(0, 3), (5, 6)], False), ([(0, 3)], True), ([(4, 7)], True)],
)
def test_a_word_without_a_token_is_missed(tokens, missed):
    assert misses_words(TextColumn(["abc def"]), encoded(*tokens, first=[0, len(tokens)])) == missed


def test_the_tokenizer_drops_signs_and_no_words(encoder):
    for texts in (
        ["a\u200bb \x07 c", "☀\ufe0f x", "e\u0301e", "日本 \u0e01\u0e33", " \t\u3000\n"],
        [],
        ["", ""],
    ):
        assert not misses_words(TextColumn(texts), encoder.encode(TextColumn(texts)))


def test_conversations_of_other_words_or_another_order_have_other_hashes(encoder):
    several = [["hello my"], ["my hello"], ["hello my name"], [""], ["hello my"]]
    encoded = encoder.encode(TextColumn([text for one in several for text in one]))
    hashes = hash_conversations(encoded, np.cumsum([0, *map(len, several)]).tolist()).tolist()
    assert hashes[0] == hashes[-1]
    assert len(set(hashes)) == 4
