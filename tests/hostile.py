"""The slope of time over length on hostile input.

1 is linear, 2 quadratic. Each text is one cell without a line break, and is made as long as it takes to be
measured; the slope is that of log time over log length between an eighth of it and the whole. What reads two
million characters in 20 milliseconds has none. CPU seconds, the best of some rounds.
"""

import math
import time
from collections.abc import Callable
from functools import lru_cache

from tacenda.transforms.detecting.detector import Detector
from tacenda.transforms.detecting.names.detector import GazetteerDetector
from tacenda.transforms.detecting.rules.catalogue import default_info_types
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.detecting.spoken import SpokenDetector
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

TEXTS = {
    "dots": "a." * 1000 + "." * 4000,
    "digits": "0123456789" * 10,
    "one digit": "7",
    "no space": "abcdefghij",
    "capitals": "ABCDEFGHIJ",
    "near matches": "4111-1111-1111-111 212-555-014 GB29 NWBK 6016 1331 9268 1 ",
    "nested": "a@b.c-d@e." * 3 + "my name is my name is ",
    "colons": "1:2:3:4:5:6:7:",
    "spelled": "a-b-c-1-2 d e f 3 ",
    "streets": "12 Long Road Street 12 Calle de la ",
    "names": "Anna Maria de la Anna ",
    "lower case": "anna maria de la anna ",
    "titles": "Mr. Dr. Mrs. von der ",
    "numbers": "one hundred twenty one thousand double oh five ",
    "letters": "m as in mike a r k ",
    "addresses": "anna dot lee at mail dot com at dot ",
    "tokens": "[PERSON_NAME_1] [URL_",
    "wide": "１２３ é\u0301 שלום 😀 ",
}
"""What is repeated to the length wanted; the second half is hostile to detectors that read words."""

FAST = 100e6
"""Characters a second at the longest length from which on nothing but the memory's own speed is measured."""

_MEASURABLE_S = 0.02
_SHORTEST = 1 << 14
_FOLD = 8


def slope(detector: Detector, piece: str, longest: int) -> float:
    """The slope on one text, up to a length; 0 where that is ``FAST``."""
    length = _SHORTEST
    while length < longest and _seconds(detector, text_of(piece, length), 1) < _MEASURABLE_S:
        length = min(length * _FOLD, longest)
    if length / _seconds(detector, text_of(piece, length), 1) > FAST:
        return 0.0
    length = min(length * 2, longest)
    short = _seconds(detector, text_of(piece, length // _FOLD), 2)
    return math.log(_seconds(detector, text_of(piece, length), 1) / short) / math.log(_FOLD)


@lru_cache(maxsize=64)
def text_of(piece: str, length: int) -> str:
    """A piece repeated and cut to a length."""
    return (piece * (length // len(piece) + 1))[:length]


def _seconds(detector: Detector, text: str, rounds: int) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        detector.find(TextColumn([text]))
        best = min(best, time.process_time() - start)
    return best


def info_type_detector(name: str) -> RulesDetector:
    """A detector of one infoType at any likelihood."""
    return RulesDetector(InspectSettings((name,)), Likelihood.VERY_UNLIKELY)


def whole_detectors() -> dict[str, Callable[[], Detector]]:
    """The detectors of a run at their lowest likelihood, as for the second look."""
    settings = InspectSettings(default_info_types())
    least = Likelihood.VERY_UNLIKELY
    return {
        "rules": lambda: RulesDetector(settings, least),
        "gazetteer": lambda: GazetteerDetector(settings, least),
        "spoken": lambda: SpokenDetector(settings, least),
    }
