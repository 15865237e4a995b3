"""Roles: which of ``system``, ``user`` and ``assistant`` a speaker label stands for (``roles.yaml``)."""

import re
from collections.abc import Mapping
from importlib.resources import files

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml
from tacenda.transforms.writing.converting.dialogue import ASSISTANT, SYSTEM, USER

ROLES = (SYSTEM, USER, ASSISTANT)
OTHERS = "*"
"""In a run's own roles: all labels that have no other."""

_SEPARATORS = re.compile(r"[\s_.\-]+")
_NUMBER = re.compile(r" ?(?:[0-9]{1,4}| [a-z])$")


@built_once
def _known() -> dict[str, str]:
    text = files("tacenda.transforms.writing.converting").joinpath("roles.yaml").read_text(encoding="utf-8")
    return {label: role for role, labels in parse_yaml(text).items() for label in labels}


def role_of(label: str | None, own: Mapping[str, str]) -> str:
    """The role of a speaker, by the run's ``own`` roles first.

    >>> role_of("Agent 2", {}), role_of("customer", {}), role_of("Pam", {"*": "user"})
    ('assistant', 'user', 'user')

    Raises:
        RecordError: ``NoRole``: nobody says what role it is.
    """
    folded = _SEPARATORS.sub(" ", (label or "").casefold()).strip(" :")
    for name in (folded, _NUMBER.sub("", folded)):
        role = own.get(name) or _known().get(name)
        if role is not None:
            return role
    if OTHERS in own:
        return own[OTHERS]
    raise RecordError("NoRole")


def folded_roles(own: Mapping[str, str]) -> dict[str, str]:
    """A run's own roles as :func:`role_of` looks them up."""
    return {_SEPARATORS.sub(" ", label.casefold()).strip(" :"): role for label, role in own.items()}
