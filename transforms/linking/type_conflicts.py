"""One infoType for what a conversation has under several, by the rules of ``type_conflicts.yaml``."""

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

_REACH = 40
"""Characters before a mention in which a cue may stand."""


def evidence(likelihood: Likelihood, detector: str) -> int:
    """How much one finding says for its infoType."""
    weights = _rules().detectors
    return likelihood * weights.get(detector, weights["other"])


def has_cue(info_type: str, text: str, start: int) -> bool:
    """Whether the words right before a mention say of which infoType it is.

    >>> has_cue("LOCATION", "We flew to Jordan", 11), has_cue("LOCATION", "I spoke to Jordan", 11)
    (True, False)
    """
    pattern = _rules().cues.get(info_type)
    return pattern is not None and pattern.search(text[max(0, start - _REACH) : start].casefold()) is not None


def settled(weights: Mapping[str, int]) -> str:
    """The infoType with the most evidence; of equal ones the first of the list, catch-alls last."""
    rules = _rules()
    return min(weights, key=lambda name: (name in rules.catch_alls, -weights[name], rules.order(name), name))


def name_types() -> frozenset[str]:
    """The infoTypes whose mentions may be taken for one another."""
    return frozenset(_rules().names)


class _Rules(NamedTuple):
    names: Sequence[str]
    detectors: Mapping[str, int]
    cues: Mapping[str, re.Pattern[str]]
    catch_alls: frozenset[str]

    def order(self, name: str) -> int:
        return self.names.index(name) if name in self.names else len(self.names)


@built_once
def _rules() -> _Rules:
    data = parse_yaml(
        files("tacenda.transforms.linking").joinpath("type_conflicts.yaml").read_text(encoding="utf-8")
    )
    cues = {
        name: re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})\s+(?:the\s+)?$")
        for name, words in data["cues"].items()
    }
    return _Rules(data["names"], data["detectors"], cues, frozenset(data["catch_alls"]))
