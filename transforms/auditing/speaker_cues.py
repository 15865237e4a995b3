"""The speaker's own company or product: one mentioned where speakers say whom they represent.

The paper counts a missed organisation or product only if it is "closely related to the speaker" (Gardiner et
al., CALD-pseudo 2024, section 4.1), and its annotators write ``_SPEAKER``. Gold spans and detectors do not
tell, so the words beside a name decide: ``speaker_cues.yaml``.
"""

import re
from importlib.resources import files
from typing import NamedTuple

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

_REACH = 96
"""Characters of context beside a name."""

_WORD = r"[\w\[\]'’.\-]+"
_NO_NAME = r"(?:about|an?|the|not|just|regarding|for|on|my|your|in|to|that|like)\b|\d"
_WHO = rf"(?!{_NO_NAME}){_WORD}(?:\s+{_WORD}){{0,3}}?"
"""A name of one to four words, or a token; not starting with an article or a digit."""


def is_own(text: str, start: int, end: int) -> bool:
    """Whether the company or product at ``text[start:end]`` is the speaker's own.

    >>> is_own("Dunder Mifflin, this is Pam speaking.", 0, 14), is_own("worse than staples", 11, 18)
    (True, False)
    """
    cues = _cues()
    before = text[max(0, start - _REACH) : start].casefold()
    return bool(cues.before.search(before) or cues.after.match(text[end : end + _REACH].casefold()))


class _Cues(NamedTuple):
    before: re.Pattern[str]
    after: re.Pattern[str]


@built_once
def _cues() -> _Cues:
    languages = parse_yaml(
        files("tacenda.transforms.auditing").joinpath("speaker_cues.yaml").read_text(encoding="utf-8")
    ).values()

    def either(side: str) -> str:
        patterns = [
            cue.replace("{who}", _WHO).replace(" ", r"\s+") for cues in languages for cue in cues[side]
        ]
        return "|".join(patterns)

    return _Cues(
        re.compile(rf"(?<!\w)(?:{either('before')})[\s,:;.\-–—\"“'(]*(?:the\s+)?$"),
        re.compile(rf"[\s,:;.!\-–—\"”')]*(?:{either('after')})"),
    )
