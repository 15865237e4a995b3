import gzip
import json
import os
import random
from collections import Counter
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path

import pytest

from tacenda.transforms.language.coverage import (
    LanguageSettings,
    held_by_language,
    language_statistics,
    languages_of,
)
from tacenda.transforms.language.identifying import main_languages, tell
from tacenda.transforms.schema.conversation import OUTSIDE_TURNS, ConversationBatch
from tacenda.transforms.text import column as columns
from tacenda.transforms.text.column import TextColumn
from tests.cases import tabled

ENGLISH, GERMAN = (
    "I would like to know when it is going to arrive.",
    "Ich möchte wissen, wann es bei mir ankommt.",
)

SETTINGS = LanguageSettings(frozenset({"en"}))


def _counts(batch, settings, without=frozenset()):  # type: ignore[assignment]
    column = TextColumn(batch.texts, batch.first_cell)
    return languages_of(batch, column, settings).counts(without)


def test_turns_and_conversations_are_counted_by_language():
    batch = ConversationBatch.of_turns(
        [[("a", ENGLISH), ("b", "ok")], [("a", ENGLISH), ("b", GERMAN)], [("a", "4")]]
    )
    counts = _counts(batch, SETTINGS)
    assert counts == {
        "turns/en": 3,
        "conversations/en": 2,
        "turns/de": 1,
        "conversations/de": 1,
        "turns/none": 1,
        "conversations/none": 1,
    }
    assert _counts(batch, SETTINGS, {1}) == {
        "turns/en": 2, "conversations/en": 1, "turns/none": 1, "conversations/none": 1
    }  # fmt: skip


def test_counts_add_up_over_any_division():
    conversations = [[("a", ENGLISH), ("b", GERMAN)], [("a", "ok")], [("a", GERMAN)], [("a", ENGLISH)]]
    whole = _counts(ConversationBatch.of_turns(conversations), SETTINGS)
    parts = [_counts(ConversationBatch.of_turns([one]), SETTINGS) for one in conversations]
    assert sum(parts, Counter[str]()) == whole


def test_text_outside_turns_counts_for_coverage_but_not_as_a_turn():
    batch = ConversationBatch.of_turns([[("a", ENGLISH), (None, GERMAN)]])
    batch.turns[1] = OUTSIDE_TURNS
    counts = _counts(batch, SETTINGS)
    assert counts["turns/en"] == 1
    assert counts["turns/de"] == 0
    assert counts["conversations/de"] == 1


def test_what_most_of_a_conversation_is_in_decides():
    several = ConversationBatch.of_turns(
        [
            [("a", ENGLISH), ("b", GERMAN), ("a", GERMAN), ("b", GERMAN)],
            [("a", ENGLISH), ("b", ENGLISH), ("a", GERMAN)],
            [("a", "Danke Herr Schulze")],
        ]
    )
    counts = _counts(several, SETTINGS)
    assert {key: n for key, n in counts.items() if key.startswith("uncovered")} == {"uncovered/de": 1}


@tabled("text", "is_uncovered")
def test_a_sentence_without_spaces_is_more_than_a_word(text, is_uncovered):
    batch = ConversationBatch.of_turns([[("a", text)]])
    found = languages_of(batch, TextColumn(batch.texts, batch.first_cell), SETTINGS)
    assert bool(found.uncovered) == is_uncovered


def test_uncovered_languages_are_reported_in_one_line_with_advice():
    counts = {"uncovered/hi": 3, "uncovered/und": 1, "turns/hi": 9, "conversations/hi": 3}
    line = held_by_language(counts, replace(SETTINGS, uncovered="hold"))
    assert held_by_language(counts, SETTINGS) is None
    assert line is not None
    assert "4 (Hindi 3, not recognised 1)" in line
    assert "languages.uncovered: quarantine" in line
    assert "\n" not in line
    assert held_by_language({"turns/en": 2, "conversations/en": 1}, SETTINGS) is None


def test_an_accepted_language_does_not_hold_and_is_reported():
    settings = LanguageSettings(frozenset({"en"}), {"de": "greetings only"})
    counts = _counts(ConversationBatch.of_turns([[("a", GERMAN)]]), settings)
    assert held_by_language(counts, settings) is None
    told = language_statistics(counts, settings)["by_language"]["de"]
    assert (told["name"], told["covered"], told["accepted"]) == ("German", True, "greetings only")


DATA = Path(os.environ.get("TACENDA_DATA") or Path(__file__).parents[4] / "shared" / "data")


def told(*conversations):
    """The languages of each cell of conversations, cell by cell, as ``en`` or ``en zh``."""
    texts = [text for cells in conversations for text in cells]
    first = [0, *accumulate(map(len, conversations))]
    spoken = tell(TextColumn(texts, first))
    by_cell: list[list[str]] = [[] for _ in texts]
    for cell, language in zip(spoken.cells.tolist(), spoken.languages.tolist(), strict=True):
        by_cell[cell].append(spoken.names[language])
    cells = [" ".join(names) for names in by_cell]
    return [cells[i:j] for i, j in pairwise(first)]


ENGLISH_OF_TELLING = "Hello, I would like to know when my order is going to arrive, please."


@tabled("language", "text")
def test_the_language_of_one_sentence_is_detected(language, text):
    assert told([text]) == [[language]]


@tabled("text")
def test_too_few_words_take_the_language_of_their_conversation_or_none(text):
    assert told([text]) == [["none"]]
    assert told([ENGLISH_OF_TELLING, text]) == [["en", "en"]]


def test_each_turn_of_a_mixed_conversation_is_judged_by_its_own_language():
    polish = "Nazywam się Jan Kowalski i mieszkam w Krakowie przy ulicy Długiej."
    assert told([ENGLISH_OF_TELLING, polish, "ok", "मेरा नाम प्रिया वर्मा है"]) == [["en", "pl", "en", "hi"]]


def test_a_page_in_another_language_is_noticed_in_a_long_document():
    german = "Wir haben den Vertrag gestern mit der Post an Sie geschickt und warten auf Ihre Antwort. " * 5
    (cells,) = told([f"{ENGLISH * 30} {german} {ENGLISH * 30}"])
    assert cells == ["en de"]


def test_a_name_in_another_script_is_noticed_in_an_english_turn():
    assert told(["Please send it to 王小明, who is going to pay for it."]) == [["en zh"]]
    assert told(["The angle α and the unit μ are not a language."]) == [["en"]]


def test_a_conversation_is_judged_alone(monkeypatch):
    conversations = [
        [ENGLISH_OF_TELLING, "ok", "hai"], ["Wo ist mein Paket?", "ok"], ["ok"], [], ["", "मेरा नाम"],
        [ENGLISH_OF_TELLING * 200],
    ]  # fmt: skip
    alone = [told(cells)[0] for cells in conversations]
    order = list(range(len(conversations))) * 3
    random.Random(1).shuffle(order)
    for at_once in (1, 200, 1 << 17):
        monkeypatch.setattr("tacenda.transforms.text.column._BLOCK", at_once)
        assert told(*(conversations[i] for i in order)) == [alone[i] for i in order]


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no development corpora in {DATA}")
@tabled("corpus", "languages", "least_right", "most_wrong")
def test_on_development_corpora(corpus, languages, least_right, most_wrong):
    conversations = []
    with gzip.open(DATA / f"{corpus}.dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line, _ in zip(lines, range(600), strict=False):
            conversations.append([turn["text"] for turn in json.loads(line)["turns"]])
    expected = {*languages.split()}
    right = wrong = 0
    for cells in told(*conversations):
        spoken = {name for cell in cells for name in cell.split()} - {"none"}
        right += bool(spoken) and spoken <= expected
        wrong += not spoken <= expected
    assert right >= least_right * len(conversations)
    assert wrong <= most_wrong * len(conversations)


def test_a_long_conversation_is_reported_in_pieces(monkeypatch):
    talk = [ENGLISH_OF_TELLING, "Hej, jag undrar när min beställning kommer fram.", "ok"] * 20
    whole = told(["ok"], talk, [ENGLISH_OF_TELLING])
    monkeypatch.setattr(columns, "PIECE_CHARS", 1000)
    assert told(["ok"], talk, [ENGLISH_OF_TELLING]) == whole


def test_the_language_of_most_cells_is_that_of_the_conversation_alone_and_in_a_batch():
    swedish = "Hej, jag undrar när min beställning kommer fram."
    talks = [[ENGLISH_OF_TELLING, swedish, swedish], ["ok", "12"], [ENGLISH_OF_TELLING, "ok"]]
    bounds = [0, *accumulate(map(len, talks))]
    column = TextColumn([text for cells in talks for text in cells], bounds)
    assert main_languages(tell(column), bounds) == ["sv", "", "en"]
    alone = [main_languages(tell(TextColumn(cells, [0, len(cells)])), [0, len(cells)]) for cells in talks]
    assert alone == [["sv"], [""], ["en"]]
