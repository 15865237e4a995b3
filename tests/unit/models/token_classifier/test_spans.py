"""From given verdicts on words to ranges of text."""

import numpy as np

from tacenda.models.token_classifier.decoding import Verdicts
from tacenda.models.token_classifier.spans import spans
from tacenda.models.token_classifier.token_columns import TokenColumns
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

PERSON, PLACE = "PERSON_NAME", "LOCATION"
POSSIBLE, LOWEST = [Likelihood.POSSIBLE] * 2, [Likelihood.VERY_UNLIKELY] * 2

TEXT = "Smith Annabel"
"""The tokens are "Smith", "Anna" and "bel"."""


def _sure(first: list[Likelihood], floors: list[Likelihood], on: Verdicts) -> list[tuple[str, str]]:
    """The findings at ``first`` if the tokens that reach ``floors`` are considered."""
    zeros = np.zeros(3, np.int32)
    starts, ends = np.array([0, 6, 10], np.int32), np.array([5, 10, 13], np.int32)
    encoded = TokenColumns(zeros, starts, ends, zeros.astype(np.int8), np.array([0, 3], np.int32))
    places = spans(TextColumn([TEXT]), encoded, on, [PERSON, PLACE], floors, POSSIBLE, first)
    return [
        (TEXT[start:end], name)
        for (name, some), least in zip(places.items(), first, strict=True)
        for start, end, likelihood in zip(some.starts, some.ends, some.likelihoods, strict=True)
        if likelihood >= least
    ]


def _verdicts(
    info_types: list[int], likelihoods: list[int], scores: list[float], near: list[int]
) -> Verdicts:
    kinds, steps = np.array(info_types, np.int64), np.array(likelihoods, np.int64)
    heard = np.array(scores, np.float32)
    return Verdicts(kinds, steps, heard, np.array(near, np.bool_), heard / np.float32(0.5))


def test_hysteresis_does_not_depend_on_the_number_of_scored_tokens() -> None:
    # "Anna" is surer than "bel", but of another infoType, whose threshold is higher.
    on = _verdicts([0, 1, 0], [5, 2, 2], [0.9, 0.6, 0.35], [1, 0, 1])
    assert _sure(POSSIBLE, POSSIBLE, on) == [("Smith Annabel", PERSON)]
    assert _sure(POSSIBLE, LOWEST, on) == [("Smith Annabel", PERSON)]


def test_tokens_hidden_from_the_first_look_do_not_support_others() -> None:
    # Persons are found from the lowest step on, places are not.
    first = [Likelihood.VERY_UNLIKELY, Likelihood.POSSIBLE]
    on = _verdicts([0, 1, 0], [0, 2, 1], [0.0, 0.6, 0.1], [0, 0, 0])
    assert _sure(first, first, on) == [("Annabel", PERSON)]
    assert _sure(first, LOWEST, on) == [("Annabel", PERSON)]
