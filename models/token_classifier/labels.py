"""Label maps: which infoType each label of a user's model means; shipped as data, or the user's own."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

import yaml

from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import absolute, read_bytes
from tacenda.transforms.storage.process_cache import built_once

OUTSIDE = "O"

_POSITION = re.compile(r"^[BIELSU][-_]")
"""Where in a span a token stands, as tagging schemes (BIO, BIOES, BILOU) write it before the label."""


class LabelMap(NamedTuple):
    """The map that a run was planned with: a shipped one's name, or a file that stands where every worker finds
    it, and the ``sha256`` that it has to have (None for whatever it has).
    """

    name: str
    sha256: str | None = None


def meanings(labels: Sequence[str], label_map: LabelMap | None, model: str) -> tuple[str | None, ...]:
    """The infoType of each label, None for those that are no personal data.

    Without a map, labels have to be infoTypes themselves.

    Raises:
        UserError: a label without meaning; nothing that a model finds is dropped by accident.
    """
    known = known_labels(label_map)
    found: list[str | None] = []
    for label in labels:
        bare = _POSITION.sub("", label)
        if bare == OUTSIDE:
            found.append(None)
        elif bare in known or label in known:
            found.append(known.get(bare, known.get(label)))
        else:
            where = (
                "it is no infoType" if label_map is None else f"label map {label_map.name} does not have it"
            )
            raise UserError(
                f"model {model}: label {bare}: {where}; set label_map to {', '.join(shipped())}, or a file"
            )
    return tuple(found)


def known_labels(label_map: LabelMap | None) -> Mapping[str, str | None]:
    """All labels that a map gives a meaning to, and which; without a map, every infoType means itself.

    Raises:
        UserError: the map cannot be read (``read_label_map``).
    """
    if label_map is None:
        return {name: name for name in catalogue()}
    return read_label_map(label_map)


def pin_label_map(name: str) -> LabelMap:
    """A map as it stands now, and as a worker that stands elsewhere finds it.

    Raises:
        UserError: there is none.
    """
    sha256 = hashlib.sha256(_content(name)).hexdigest()
    return LabelMap(name if name in shipped() else absolute(name), sha256)


def read_label_map(label_map: LabelMap) -> Mapping[str, str | None]:
    """The infoType of each label; a file has the form of the shipped ones.

    Raises:
        UserError: there is none, it has another sha256, it is not a map of labels, or one leads to what is no
            built-in infoType; a model is asked for no others, so whatever has such a label would stay readable.
    """
    name, sha256 = label_map
    text = _content(name)
    if sha256 not in (None, hashlib.sha256(text).hexdigest()):
        raise UserError(f"label_map {name}: was changed since the run began; start the run again")
    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, UnicodeDecodeError):
        raise UserError(f"label_map {name}: not valid YAML") from None
    labels = data.get("labels") if isinstance(data, dict) else None
    if not isinstance(labels, dict) or not all(
        isinstance(k, str) and isinstance(v, (str, type(None))) for k, v in labels.items()
    ):
        raise UserError(f"label_map {name}: needs 'labels', a mapping of quoted labels to infoTypes or null")
    for label, meaning in labels.items():
        if meaning is not None and meaning not in catalogue():
            raise UserError(
                f"label_map {name}: label {label} means {meaning or '(empty)'}, which is no infoType; "
                "see 'tacenda infotypes', or write null"
            )
    return labels


def _content(name: str) -> bytes:
    if name in shipped():
        return (files(__package__) / "label_maps" / f"{name}.yaml").read_bytes()
    if not name.endswith((".yaml", ".yml", ".json")):
        raise UserError(
            f"label_map {name}: no such map; choose one of {', '.join(shipped())}, or name a YAML file"
        )
    return read_bytes(name)


@built_once
def shipped() -> tuple[str, ...]:
    """Names of the maps that come with Tacenda."""
    folder = files(__package__) / "label_maps"
    return tuple(sorted(f.name.removesuffix(".yaml") for f in folder.iterdir() if f.name.endswith(".yaml")))
