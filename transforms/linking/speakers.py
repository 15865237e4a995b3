"""Speaker labels: which of them are names.

A label is personal data unless it is a known role: ``Pam`` and ``Pam Beesly`` are names, ``agent`` and
``Speaker 2`` are not. Known roles are data (``roles.yaml``); everything else is taken for a name, because a
role that is masked costs little and a name that is kept costs a person.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files

from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

_SEPARATORS = re.compile(r"[\s_.\-]+")
_MOST_DIGITS = 4
"""Of the number of a speaker; longer ones are of phones, customers and cards."""


@built_once
def _role_pattern() -> re.Pattern[str]:
    roles = parse_yaml(files("tacenda.transforms.linking").joinpath("roles.yaml").read_text(encoding="utf-8"))
    exact = "|".join(map(re.escape, roles["exact"]))
    numbered = "|".join(map(re.escape, roles["numbered"]))
    count = f"[0-9]{{1,{_MOST_DIGITS}}}"
    return re.compile(rf"(?:{exact}|(?:{numbered})(?: ?{count}| [a-z])?|[a-z]|{count})")


@lru_cache(maxsize=4096)
def is_role(label: str) -> bool:
    """Whether a speaker label names a part in the conversation and nobody in particular.

    >>> is_role("Agent"), is_role("speaker_2"), is_role("B"), is_role("Pam")
    (True, True, True, False)
    """
    folded = _SEPARATORS.sub(" ", label.casefold()).strip(" :")
    return not folded or bool(_role_pattern().fullmatch(folded)) or bool(TOKEN.fullmatch(label.strip()))


def named_speakers(labels: Iterable[str | None]) -> list[str]:
    """The distinct labels that are names, in order of appearance."""
    return [label for label in dict.fromkeys(labels) if label is not None and not is_role(label)]
