"""Decode token probabilities: which tokens are personal data, of which infoType, how likely."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.models.token_classifier.decoding_settings import Decision, Rule
from tacenda.models.token_classifier.onnx_session import Floats, Ints
from tacenda.transforms.schema.likelihood import Likelihood

Bools = npt.NDArray[np.bool_]


def companions(found: Bools, near: Bools, linked: Bools) -> Ints:
    """For each word, the index of the found neighbour that includes it; the previous word has precedence.

    Args:
        found: words above the threshold.
        near: words above the lower threshold.
        linked: for each word, whether it and the next may belong to one finding; false for the last.

    Returns:
        Indexes of neighbours; the word's own where none includes it or it is found itself.
    """
    of = np.arange(len(found), dtype=np.int64)
    after = np.flatnonzero(linked[:-1] & found[1:] & near[:-1] & ~found[:-1])
    of[after] = after + 1
    before = np.flatnonzero(linked[:-1] & found[:-1] & near[1:] & ~found[1:]) + 1
    of[before] = before - 1
    return of


_BELOW = {Likelihood.UNLIKELY: 0.5, Likelihood.VERY_UNLIKELY: 0.25}
"""Fractions of the threshold at which tokens below it get a likelihood for the second look."""

_ABOVE = {Likelihood.LIKELY: 1 / 3, Likelihood.VERY_LIKELY: 2 / 3}
"""Fractions of the way from the threshold to certainty."""


class Verdicts(NamedTuple):
    """One entry a token.

    ``info_types`` are indexes into the infoTypes asked for; ``likelihoods`` are values of ``Likelihood``, 0
    for tokens to ignore; ``scores`` are what was compared with the threshold; ``near`` tells whether the
    score reaches the lower threshold that applies next to a found word (``hysteresis``).
    """

    info_types: Ints
    likelihoods: Ints
    scores: Floats
    near: Bools


def verdicts(
    probabilities: Floats, classes: Sequence[str | None], decision: Decision, asked: Sequence[str]
) -> Verdicts:
    """Decide on every token at once.

    Args:
        probabilities: tokens by classes; each row sums to 1.
        classes: the infoType of each class, None if it is not personal data; several may share one.
        decision: rule and thresholds.
        asked: infoTypes to decide among; other classes are ignored.
    """
    if not len(probabilities) or not asked:
        nothing = np.zeros(len(probabilities), np.int64)
        scores = nothing.astype(np.float32)
        return Verdicts(nothing, nothing, scores, nothing.astype(np.bool_))
    if decision.rule is Rule.BINARY:
        inside = [c for c, name in enumerate(classes) if name is not None]
        scores = _summed(probabilities, [inside])[:, 0]
        info_types = np.full(len(probabilities), list(asked).index(decision.info_type), np.int64)
    else:
        heard = _summed(probabilities, [[c for c, name in enumerate(classes) if name == n] for n in asked])
        info_types = heard.argmax(axis=1)
        scores = heard.sum(axis=1, dtype=np.float32)
    own = dict(decision.thresholds)
    limits = np.asarray([own.get(name, decision.threshold) for name in asked], np.float32)[info_types]
    # The next greater number, so that ">=" means strictly above the threshold.
    limits = np.nextafter(limits, np.float32(2), dtype=np.float32)
    near = scores >= limits * np.float32(decision.hysteresis)
    return Verdicts(info_types, _likelihoods(scores, limits), scores, near)


def _summed(probabilities: Floats, columns: Sequence[Sequence[int]]) -> Floats:
    if all(len(several) == 1 for several in columns):
        return probabilities[:, [c for several in columns for c in several]]
    summed = np.zeros((len(probabilities), len(columns)), np.float32)
    for k, several in enumerate(columns):
        for c in several:
            summed[:, k] += probabilities[:, c]
    return summed


def _likelihoods(scores: Floats, limits: Floats) -> Ints:
    steps = np.zeros(len(scores), np.int64)
    for likelihood, part in sorted(_BELOW.items()):
        steps[scores >= limits * np.float32(part)] = likelihood
    steps[scores >= limits] = Likelihood.POSSIBLE
    for likelihood, part in sorted(_ABOVE.items()):
        steps[(scores >= limits) & (scores >= limits + (1 - limits) * np.float32(part))] = likelihood
    return steps
