"""Small gold conversations with findings."""

import pytest

from tacenda.transforms.evaluating.gold_reading import About, gold_labels
from tacenda.transforms.evaluating.matches import match_conversation
from tacenda.transforms.schema.conversation import AnnotatedSpan, ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

TEXT = "aaaa bbbb cccc dddd aaaa bbbb"
WORDS = {letter: (i * 5, i * 5 + 4) for i, letter in enumerate("abcd")} | {"e": (20, 29)}


@pytest.fixture
def corpus():
    """``corpus(("a:CITY", "a:CITY b:DATE"), …)``: gold and findings of a conversation, as words and labels.

    A third word in the gold is an entity. Each conversation may add a dictionary with what is special about it.
    """

    def matched(number, gold, found, special):
        spans = [
            AnnotatedSpan(*WORDS[place], *label)
            for place, *label in (word.split(":") for word in gold.split())
        ]
        findings = [
            [Finding(*WORDS[word[0]], word[2:], Likelihood.LIKELY, "rules") for word in (found or "").split()]
        ]
        classes = frozenset(special.get("complete_for", ()))
        batch = ConversationBatch.of_turns([[(special.get("speaker"), TEXT)]])
        batch.ids, batch.spans = [f"c{number}"], [spans]
        return match_conversation(
            batch,
            0,
            About(
                special.get("file", "gold"),
                special.get("complete", not classes),
                classes,
                special.get("lang", "en"),
            ),
            gold_labels(),
            None if found is None else findings,
            [special["entities"]] if "entities" in special else (),
        )

    return lambda *several: [
        matched(i, gold, found, *(more or [{}])) for i, (gold, found, *more) in enumerate(several)
    ]
