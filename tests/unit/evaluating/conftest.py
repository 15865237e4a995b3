"""Small gold conversations with findings."""

import pytest

from tacenda.transforms.evaluating.gold_reading import Coverage, Origin, gold_labels
from tacenda.transforms.evaluating.matches import MatchRows
from tacenda.transforms.schema.conversation import AnnotatedSpan, ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

TEXT = "aaaa bbbb cccc dddd"
WORDS = {letter: (i * 5, i * 5 + 4) for i, letter in enumerate("abcd")}


@pytest.fixture
def corpus():
    """``corpus(("a:CITY", "a:CITY b:DATE"), …)``: gold and findings of a conversation, as words and labels.

    A third word in the gold is an entity. Each conversation may add a dictionary with what is special about it.
    """

    def make(*conversations):
        rows = MatchRows(gold_labels())
        for number, (gold, found, *more) in enumerate(conversations):
            special = more[0] if more else {}
            spans = [
                AnnotatedSpan(*WORDS[place], *label)
                for place, *label in (word.split(":") for word in gold.split())
            ]
            findings = None
            if found is not None:
                findings = [
                    Finding(*WORDS[word[0]], word[2:], Likelihood.LIKELY, "rules") for word in found.split()
                ]
            classes = frozenset(special.get("complete_for", ()))
            batch = ConversationBatch.of_turns([[(special.get("speaker"), TEXT)]])
            batch.ids, batch.spans = [f"c{number}"], [spans]
            rows.add(
                batch,
                0,
                special.get("file", "gold"),
                Origin(special.get("lang", "en"), ""),
                Coverage(special.get("complete", not classes), classes),
                None if findings is None else [findings],
                [special["entities"]] if "entities" in special else (),
            )
        return rows.tables()

    return make
