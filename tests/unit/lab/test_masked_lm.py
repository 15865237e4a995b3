"""Masked language models: a tiny one with known probabilities (``tests/golden/tiny_masked_lm/build.py``)."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml

import tacenda
from tacenda.models.lab.masked_lm import (
    Document,
    MaskedLmDetector,
    Specials,
    Word,
    document,
    load,
    log_scores,
    window_of,
)
from tacenda.models.lab.masked_lm_replacer import MaskedLmReplacer
from tacenda.models.token_classifier import loading
from tacenda.models.token_classifier.encoding import read_encoder
from tacenda.models.token_classifier.loading import package_of
from tacenda.pipelines.cli import run
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.sections import model_settings
from tacenda.pipelines.lab.masked_lm import best_threshold, tuned
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.replacing.replacement import Values
from tacenda.transforms.replacing.settings import FillMaskSettings
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn
from tests.cases import tabled
from tests.marked_conversations import SECRET, linked

TINY = Path(__file__).parents[2] / "golden" / "tiny_masked_lm"


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(TINY, tmp_path / "tiny")


@pytest.mark.parametrize("tokens", [1, 6, 7, 8, 30, 31, 100])
@pytest.mark.parametrize("places", [8, 9, 16, 31])
def test_every_short_word_is_in_a_window(tokens, places):
    longest = places // 2 - 1
    for first in range(tokens):
        last = min(first + longest, tokens)
        window = window_of(first, last, tokens, places)
        assert {*range(first, last)} <= {*window} <= {*range(tokens)}
        assert len(window) <= places - 2


def _read(folder, language, *texts):
    encoder = read_encoder(folder / "tokenizer.json")
    return document(texts, encoder.encode(TextColumn(texts)), encoder.separating, language)


@tabled("language", "texts", "same")
def test_forms_of_a_word_are_one_group(folder, language, texts, same):
    read = _read(folder, language, *texts)
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


@pytest.fixture(autouse=True)
def _fresh():
    loading._read.cache_clear()


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


def test_what_is_no_masked_language_model_is_refused(folder, tmp_path):
    for used in (folder, folder / "config.json"):
        assert _tuned(folder, used, _gold(tmp_path / "gold.jsonl", _turn(TEXT))) == 2
    (folder / "model.onnx").unlink()
    with pytest.raises(UserError, match=r"no model\.onnx; optimum-cli export onnx"):
        package_of(str(folder))
    tiny = Path(__file__).parents[2] / "golden" / "tiny_model"
    with pytest.raises(UserError, match="is no masked language model"):
        tuned(str(tiny), [])


def _gold(path, *turns):
    record = {"conversation_id": "1", "complete": True, "turns": [{"speaker": "a", **turn} for turn in turns]}
    path.write_text(json.dumps(record) + "\n")
    return path


def _tuned(model, target, gold):
    return cli_main(run, ["lab", "masked-lm", str(model), str(target), str(gold)])


def test_thresholds_are_chosen_on_gold(folder, tmp_path):
    gold, target = _gold(tmp_path / "gold.jsonl", _turn(TEXT, (11, 17, "PERSON_NAME"))), tmp_path / "new"
    assert _tuned(folder, target, gold) == 0
    [embedded, entry] = yaml.safe_load((target / "config.yaml").read_text())["models"]
    assert (embedded, entry["path"]) == ({}, str(folder))
    alone = tacenda.Anonymizer({"models": [entry], "languages": {"uncovered": "hold"}})
    found = [one for one in alone.inspect(TEXT).findings if one.detector == "model"]
    assert [(one.start, one.end, one.info_type) for one in found] == [(11, 17, "GENERIC_ID")]


def test_gold_without_personal_data_is_refused_in_a_line(folder, tmp_path, capsys):
    assert _tuned(folder, tmp_path / "new", _gold(tmp_path / "gold.jsonl", _turn(TEXT))) == 2
    assert "no span of personal data" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("scores", "personal", "log_score", "f1"),
    [
        ([-9.0, -8.0, -1.0], [True, True, False], -1.0, 1.0),
        ([-9.0, -8.0, -1.0], [True, False, True], 0.0, 0.8),
        ([-5.0, -5.0, -2.0], [True, False, False], -2.0, 2 / 3),
        ([-1.0], [True], 0.0, 1.0),
    ],
)
def test_the_best_threshold_is_found_by_hand(scores, personal, log_score, f1):
    found = best_threshold(np.array(scores), np.array(personal))
    assert found == (log_score, pytest.approx(f1))


TEXT = "my name is pamela"


def _turn(text, *spans):
    return {"text": text, "spans": [{"start": s, "end": e, "label": label} for s, e, label in spans]}


def _replacer(folder, nearest=1, secret=SECRET):
    settings = FillMaskSettings(str(folder), package_of(str(folder)).fingerprint, nearest)
    return MaskedLmReplacer(secret, settings)


def _values(folder, *marked, conversation="1", nearest=1):
    made = _replacer(folder, nearest).values(linked(marked, conversation_id=conversation))
    return [value for cell in made.findings for value in cell]


@pytest.mark.parametrize(
    ("marked", "values"),
    [
        # "from" is the nearest guess but in the text; "bo" is too short for a name.
        (["from my name is <PERSON_NAME:Pam>"], ["Eva"]),
        (["from my name is <PERSON_NAME:Pam>. eva is not in"], ["Mia"]),
        # A substitute is the context of the next word.
        (["from: name is <PERSON_NAME:Pam Lee>"], ["Eva Moss"]),
        (
            ["from: is <PERSON_NAME:Dr. PAM LEE>", "is <PERSON_NAME:Pam's>", "<PERSON_NAME:lee, pam>"],
            ["Dr. EVA MOSS", "Eva's", "moss, eva"],
        ),
        # A long conversation is read in a window around the word.
        ([f"from {'my name ' * 40} is <PERSON_NAME:Pam Lee> {'my name ' * 40}"], ["Eva Moss"]),
        # All mentions of an entity get its token if one does: after five words, none is left.
        (
            ["from pam: my name is <PERSON_NAME:Ann>", "is <PERSON_NAME:Ann Roy Cho Fox Kim Ray>"],
            ["[PERSON_NAME_1]", "[PERSON_NAME_1]"],
        ),
    ],
)
def test_a_name_becomes_the_nearest_word_that_is_not_in_the_conversation(folder, marked, values):
    assert _values(folder, *marked) == values


def test_one_of_the_nearest_is_drawn_by_secret_and_conversation(folder):
    marked = "from my name is <PERSON_NAME:Pam>"
    drawn = {_values(folder, marked, conversation=str(i), nearest=3)[0] for i in range(30)}
    assert drawn == {"Eva", "Mia", "Ines"}
    assert _values(folder, marked, nearest=3) == _values(folder, marked, nearest=3)
    linked_to = linked([marked])
    secrets = [
        _replacer(folder, 3, secret).values(linked_to).findings[0][0] for secret in (b"a", b"b", b"c", b"d")
    ]
    assert len(set(secrets)) > 1


def test_the_model_never_sees_an_original(folder):
    """Before "eva" a person is no context: the probabilities of the model are those after a mask."""
    seen = []
    replacer = _replacer(folder)
    guesses = replacer._model.guesses

    class _Spy:
        encoder, specials = replacer._model.encoder, replacer._model.specials

        def guesses(self, ids, place):
            seen.append([*ids])
            return guesses(ids, place)

    replacer._model = _Spy()  # type: ignore[assignment]
    replacer.values(
        linked(["is <PERSON_NAME:Pam> from <EMAIL_ADDRESS:pam@eva.is>", "my <PERSON_NAME:pamela>"])
    )
    pam, piece, eva = 8, 9, 12
    assert seen
    assert not any({pam, piece} & {*ids} for ids in seen)
    assert eva not in seen[0]


@tabled("marked")
def test_what_no_word_can_stand_for_gets_its_token(folder, marked):
    values = _values(folder, marked)
    assert all(value.startswith("[") for value in values)


def test_a_speaker_is_replaced_like_the_text_that_names_them(folder):
    named = linked(["name is <PERSON_NAME:Pam> from"], ["Pam"], {"Pam": "PERSON_NAME"})
    made: Values = _replacer(folder).values(named)
    assert (made.labels, made.findings) == ({"Pam": "Eva"}, [["Eva"]])
    unnamed = linked(["name is"], ["Pam"], {"Pam": "PERSON_NAME"})
    assert _replacer(folder).values(unnamed).labels == {"Pam": "[PERSON_NAME_1]"}
