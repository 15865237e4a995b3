import math
import pickle

import numpy as np
import pytest

from tacenda.models.lab.masked_lm import (
    Document,
    MaskedLmDetector,
    Specials,
    Word,
    document,
    load,
    log_scores,
    window_of,
    windows,
)
from tacenda.models.token_classifier import loading
from tacenda.models.token_classifier.encoding import read_encoder
from tacenda.models.token_classifier.loading import package_of
from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.models import model_settings
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn


@pytest.mark.parametrize("tokens", [0, 1, 6, 7, 8, 30, 31, 100])
@pytest.mark.parametrize("places", [8, 9, 16, 31])
def test_every_token_and_every_short_word_is_in_a_window(tokens, places):
    several = windows(tokens, places)
    assert {t for w in several for t in w} == set(range(tokens))
    assert all(0 < len(w) <= places - 2 for w in several)
    longest = places // 2 - 1
    for first in range(tokens):
        last = min(first + longest, tokens)
        assert window_of(first, last, several) is not None


def _read(folder, *texts):
    encoder = read_encoder(folder / "tokenizer.json")
    return document(texts, encoder.encode(TextColumn(texts)), encoder.separating)


def test_words_have_their_tokens_and_a_separator_follows_each_cell(folder):
    read = _read(folder, "my name is Pamela.", "Pamela")
    assert read.ids.tolist() == [5, 6, 7, 8, 9, 11, 3, 8, 9, 3]
    assert [tuple(word)[:5] for word in read.words] == [
        (0, 0, 2, 0, 1),
        (0, 3, 7, 1, 2),
        (0, 8, 10, 2, 3),
        (0, 11, 17, 3, 5),
        (1, 0, 6, 7, 9),
    ]
    groups = [word.group for word in read.words]
    assert groups[3] == groups[4]
    assert len(set(groups)) == 4


@pytest.mark.parametrize(
    ("texts", "same"),
    [
        (("Juha sanoi ja se on", "Juhan auto on se"), True),
        (("och jag ringde Karlsson", "Karlssons bil och jag"), True),
        (("my name is pam", "from my name"), False),
        (("Zoë", "zoe"), True),
        (("pam", "pam.my@name.is"), True),
    ],
)
def test_forms_of_a_word_are_one_group(folder, texts, same):
    read = _read(folder, *texts)
    written = [texts[word.cell][word.start : word.end].lower() for word in read.words]
    named = ("juha", "karlsson", "pam", "from", "zo")
    groups = [word.group for word, text in zip(read.words, written, strict=True) if text.startswith(named)]
    assert len(groups) == 2
    assert (groups[0] == groups[1]) is same


SPECIALS = Specials(classifying=0, separating=1, mask=2)
VOCABULARY = 10


def counting(ids):
    """At every place, a token's probability is proportional to 1 + how often the row shows it."""
    counts = np.stack([np.bincount(row, minlength=VOCABULARY) for row in ids]) + 1.0
    return np.log(np.repeat(counts[:, None], ids.shape[1], axis=1)).astype(np.float32)


def _word(first, last, group):
    return Word(0, first, last, first, last, group)


def _scores(ids, words, places=20, budget=100):
    of = Document(np.array(ids, np.int32), words)
    return np.exp(log_scores(of, counting, SPECIALS, places, budget)).tolist()


@pytest.mark.parametrize(
    ("ids", "words", "places", "scores"),
    [
        # [0] 5 _ 6 [1]: nine tokens beside the mask's own, 5 places; 7 is not visible.
        ([5, 7, 6], [(1, 2, 0)], 20, [1 / 15]),
        # Copies are masked as well.
        ([7, 5, 7], [(0, 1, 0), (2, 3, 0)], 20, [1 / 15, 1 / 15]),
        ([7, 5, 7], [(0, 1, 0), (2, 3, 1)], 20, [2 / 15, 2 / 15]),
        # First both are masked, then 7 shows: it says something about the second 7.
        ([7, 7, 5], [(0, 2, 0)], 20, [1 / 15 * 2 / 15]),
        # Longer than a window: never likely.
        ([5] * 12, [(0, 9, 0)], 8, [0.0]),
    ],
)
def test_a_word_is_masked_with_its_copies_and_revealed_from_left_to_right(ids, words, places, scores):
    assert _scores(ids, [_word(*word) for word in words], places) == pytest.approx(scores)


@pytest.mark.parametrize("budget", [1, 5, 1000])
def test_the_budget_changes_nothing(budget):
    words = [_word(i, i + 1, i % 3) for i in range(9)]
    ids = [5, 6, 7, 5, 6, 7, 8, 9, 5]
    assert _scores(ids, words, budget=budget) == pytest.approx(_scores(ids, words), rel=1e-6)


def test_improbable_words_do_not_underflow():
    def sure(ids):
        logits = np.zeros((*ids.shape, VOCABULARY), np.float32)
        logits[..., 3] = 500
        return logits

    of = Document(np.array([5, 6, 7], np.int32), [_word(0, 3, 0)])
    [score] = log_scores(of, sure, SPECIALS, 20, 100)
    assert math.isclose(score, -1500, rel_tol=1e-6)


@pytest.fixture(autouse=True)
def _fresh():
    loading._read.forget()


def test_words_are_scored_in_the_cells_of_the_column(folder):
    column = TextColumn(["from", "my name", "is Pamela"], (0, 1, 3))
    words, scores = load(package_of(str(folder)), 1).score(column, 1)
    assert [(word.cell, word.start, word.end) for word in words] == [
        (1, 0, 2),
        (1, 3, 7),
        (2, 0, 2),
        (2, 3, 9),
    ]
    # my after [CLS], name after my; pam after is, and ##ela after pam.
    assert np.exp(scores[[0, 1, 3]]) == pytest.approx([0.5, 0.5, 0.001 * 0.2], rel=1e-5)


def test_a_tokenizer_without_a_mask_is_refused(folder):
    tokenizer = folder / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text().replace("[MASK]", "[NONE]"))
    with pytest.raises(UserError, match="has no token"):
        load(package_of(str(folder)), 1)


def _detector(folder, **entry):
    document = ConfigDocument("test", {"models": [{"path": str(folder), **entry}]})
    [model] = model_settings(document)
    return MaskedLmDetector(parse_inspect_config({}), model)


def _found(detector, *texts, first=None):
    column = TextColumn(texts, first or (0, len(texts)))
    return [
        [text[f.start : f.end] for f in cell] for text, cell in zip(texts, detector.find(column), strict=True)
    ]


# P(pam | is) * P(ela | pam) = 0.001 * 0.2 = 0.0002
@pytest.mark.parametrize(("threshold", "found"), [(0.00021, ["Pamela"]), (0.00019, [])])
def test_a_word_counts_below_the_threshold(folder, threshold, found):
    detector = _detector(folder, decision={"rule": "binary", "threshold": threshold})
    assert _found(detector, "my name is Pamela")[0][-1:] == found


def test_a_language_may_have_its_own_threshold(folder):
    text = "my name is Pamela and this is what we have been waiting for"
    decision = {"rule": "binary", "threshold": 0.01, "by_language": {"en": 0.0}}
    assert _found(_detector(folder, decision=decision), text) == [[]]
    decision["by_language"] = {"fi": 0.0}
    assert "Pamela" in _found(_detector(folder, decision=decision), text)[0]


def test_a_conversation_has_the_same_findings_in_any_batch(folder):
    detector = _detector(folder, decision={"rule": "binary", "threshold": 0.05})
    texts = ("my name is Pamela", "is Pamela from my name", "", "name")
    together = _found(detector, *texts, first=(0, 2, 3, 4))
    alone = [*_found(detector, *texts[:2]), *_found(detector, ""), *_found(detector, "name")]
    assert together == alone


def test_replacement_tokens_are_never_part_of_a_finding(folder):
    detector = _detector(folder, decision={"rule": "binary", "threshold": 1.0})
    assert _found(detector, "my [PERSON_NAME_1] name") == [["my", "name"]]


def test_a_changed_model_is_refused(folder):
    detector = _detector(folder)
    config = folder / "config.json"
    config.write_text(config.read_text().replace("32", "64"))
    loading._read.forget()
    with pytest.raises(UserError, match="has changed"):
        pickle.loads(pickle.dumps(detector))
