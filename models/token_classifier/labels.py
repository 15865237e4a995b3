"""Label maps: which infoType each label of a user's model means; shipped as data, or in the user's config."""

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

OUTSIDE = "O"

_POSITION = re.compile(r"^[BIELSU][-_]")
"""Position prefix of a label in tagging schemes (BIO, BIOES, BILOU)."""

LabelMap = str | tuple[tuple[str, str | None], ...]
"""A shipped map's name, or pairs of a label and its infoType, None for no personal data."""


def meanings(labels: Sequence[str], label_map: LabelMap | None, model: str) -> tuple[str | None, ...]:
    """The infoType of each label, None for labels that are not personal data.

    Without a map, labels must be infoTypes themselves.

    Raises:
        UserError: a label is in neither; dropping it silently would leave personal data in the text.
    """
    known: dict[str, str | None] = {name: name for name in catalogue()}
    if label_map is not None:
        known = dict(shipped()[label_map] if isinstance(label_map, str) else label_map)
    known[OUTSIDE] = None
    found = []
    for label in labels:
        bare = _POSITION.sub("", label)
        if bare not in known and label not in known:
            where = "not an infoType" if label_map is None else "the label map does not have it"
            raise UserError(
                f"model {model}: label {bare}: {where}; set label_map to {', '.join(shipped())}, or a mapping"
            )
        found.append(known[bare] if bare in known else known[label])
    return tuple(found)


def read_label_map(given: Any) -> LabelMap:
    """The map of a config: a shipped one's name, or a mapping of labels to infoTypes or null.

    Raises:
        UserError: there is no such map, or a label leads to something other than a built-in infoType; such
            findings would never be asked for and stay readable.
    """
    if isinstance(given, str) and given in shipped():
        return given
    if not isinstance(given, dict):
        raise UserError(
            f"label_map {given}: no such map; choose one of {', '.join(shipped())}, or map labels to infoTypes"
        )
    for label, meaning in given.items():
        if meaning is not None and meaning not in catalogue():
            raise UserError(
                f"label_map: label {label} means {meaning or '(empty)'}, which is not an infoType; "
                "see 'tacenda config infotypes', or write null"
            )
    return tuple(sorted((str(label), meaning) for label, meaning in given.items()))


@built_once
def shipped() -> Mapping[str, Mapping[str, str | None]]:
    """The shipped maps by name."""
    folder = sorted((files(__package__) / "label_maps").iterdir(), key=lambda file: file.name)
    return {
        file.name.removesuffix(".yaml"): parse_yaml(file.read_text("utf-8"))["labels"]
        for file in folder
        if file.name.endswith(".yaml")
    }
