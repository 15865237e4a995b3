from collections import Counter
from dataclasses import replace

import pytest

from tacenda.transforms.language.coverage import (
    LanguageSettings,
    held_by_language,
    language_statistics,
    languages_of,
)
from tacenda.transforms.schema.conversation import OUTSIDE_TURNS, ConversationBatch
from tacenda.transforms.text.column import TextColumn

ENGLISH, GERMAN = (
    "I would like to know when it is going to arrive.",
    "Ich möchte wissen, wann es bei mir ankommt.",
)
SETTINGS = LanguageSettings(frozenset({"en"}))


def _counts(
    batch: ConversationBatch, settings: LanguageSettings, without: set[int] = frozenset()
) -> Counter[str]:  # type: ignore[assignment]
    column = TextColumn(batch.texts, batch.first_cell)
    return languages_of(batch, column, settings).counts(without)


def test_turns_and_conversations_are_counted_by_language() -> None:
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


def test_counts_add_up_over_any_division() -> None:
    conversations = [[("a", ENGLISH), ("b", GERMAN)], [("a", "ok")], [("a", GERMAN)], [("a", ENGLISH)]]
    whole = _counts(ConversationBatch.of_turns(conversations), SETTINGS)
    parts = [_counts(ConversationBatch.of_turns([one]), SETTINGS) for one in conversations]
    assert sum(parts, Counter[str]()) == whole


def test_text_outside_turns_counts_for_coverage_but_not_as_a_turn() -> None:
    batch = ConversationBatch.of_turns([[("a", ENGLISH), (None, GERMAN)]])
    batch.turns[1] = OUTSIDE_TURNS
    counts = _counts(batch, SETTINGS)
    assert counts["turns/en"] == 1
    assert counts["turns/de"] == 0
    assert counts["conversations/de"] == 1


def test_what_most_of_a_conversation_is_in_decides() -> None:
    several = ConversationBatch.of_turns(
        [
            [("a", ENGLISH), ("b", GERMAN), ("a", GERMAN), ("b", GERMAN)],
            [("a", ENGLISH), ("b", ENGLISH), ("a", GERMAN)],
            [("a", "Danke Herr Schulze")],
        ]
    )
    counts = _counts(several, SETTINGS)
    assert {key: n for key, n in counts.items() if key.startswith("uncovered")} == {"uncovered/de": 1}


@pytest.mark.parametrize(
    ("text", "is_uncovered"),
    [
        ("昨日の会議は三時に始まりました。", True),
        ("我们明天下午在办公室见面。", True),
        ("พรุ่งนี้เราจะไปตลาดด้วยกัน", True),
        ("내일 오후에 사무실에서 만나요", True),
        ("はい", False),
        (f"{ENGLISH} 王小明", False),
    ],
)
def test_a_sentence_without_spaces_is_more_than_a_word(text: str, is_uncovered: bool) -> None:
    batch = ConversationBatch.of_turns([[("a", text)]])
    found = languages_of(batch, TextColumn(batch.texts, batch.first_cell), SETTINGS)
    assert bool(found.uncovered) == is_uncovered


def test_uncovered_languages_are_reported_in_one_line_with_advice() -> None:
    counts = {"uncovered/hi": 3, "uncovered/und": 1, "turns/hi": 9, "conversations/hi": 3}
    line = held_by_language(counts, replace(SETTINGS, uncovered="hold"))
    assert held_by_language(counts, SETTINGS) is None
    assert line is not None
    assert "4 (Hindi 3, not recognised 1)" in line
    assert "languages.uncovered: quarantine" in line
    assert "\n" not in line
    assert held_by_language({"turns/en": 2, "conversations/en": 1}, SETTINGS) is None


def test_an_accepted_language_does_not_hold_and_is_reported() -> None:
    settings = LanguageSettings(frozenset({"en"}), {"de": "greetings only"})
    counts = _counts(ConversationBatch.of_turns([[("a", GERMAN)]]), settings)
    assert held_by_language(counts, settings) is None
    told = language_statistics(counts, settings)["by_language"]["de"]
    assert (told["name"], told["covered"], told["accepted"]) == ("German", True, "greetings only")
