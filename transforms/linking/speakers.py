"""Speaker labels: which of them are names.

A label is personal data unless it is a known role: ``Pam`` and ``Pam Beesly`` are names, ``agent`` and
``Speaker 2`` are not. Known roles are data (``roles.yaml``); everything else counts as a name, because
masking a role costs little and keeping a name exposes a person.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file

_SEPARATORS = re.compile(r"[\s_.\-]+")
_MOST_DIGITS = 4  # most digits of a speaker number; longer ones are phone, customer or card numbers


@built_once
def _role_pattern() -> re.Pattern[str]:
    roles = data_file("tacenda.transforms.linking", "roles.yaml")
    exact = "|".join(map(re.escape, roles["exact"]))
    numbered = "|".join(map(re.escape, roles["numbered"]))
    before = "|".join(map(re.escape, roles["qualifiers"]))
    count = f"[0-9]{{1,{_MOST_DIGITS}}}"
    return re.compile(rf"(?:{exact}|(?:(?:{before}) )*(?:{numbered})(?: ?{count}| [a-z])?|[a-z]|{count})")


def folded_label(label: str) -> str:
    """A speaker label as roles are compared: without case, with spaces for separators."""
    return _SEPARATORS.sub(" ", label.casefold()).strip(" :")


@lru_cache(maxsize=4096)
def is_role(label: str) -> bool:
    """Whether a speaker label is a role in the conversation, not a person.

    >>> is_role("Agent"), is_role("speaker_2"), is_role("B"), is_role("Pam")
    (True, True, True, False)
    >>> is_role("HUMAN_AGENT"), is_role("Virtual Agent"), is_role("ch1"), is_role("Virtual Pam")
    (True, True, True, False)
    """
    folded = folded_label(label)
    return not folded or bool(_role_pattern().fullmatch(folded)) or bool(TOKEN.fullmatch(label.strip()))


def named_speakers(labels: Iterable[str | None]) -> list[str]:
    """The distinct labels that are names, by first appearance."""
    return [label for label in dict.fromkeys(labels) if label is not None and not is_role(label)]
