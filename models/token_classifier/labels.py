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
"""Position prefix of a label in tagging schemes (BIO, BIOES, BILOU)."""


class LabelMap(NamedTuple):
    """A shipped map's name, or a file that every worker can read, with its expected ``sha256`` (None: any)."""

    name: str
    sha256: str | None = None


def meanings(labels: Sequence[str], label_map: LabelMap | None, model: str) -> tuple[str | None, ...]:
    """The infoType of each label, None for labels that are not personal data.

    Without a map, labels must be infoTypes themselves.

    Raises:
        UserError: a label is in neither; dropping it silently would leave personal data in the text.
    """
    known: dict[str, str | None] = {name: name for name in catalogue()}
    known = {**(known if label_map is None else read_label_map(label_map)), OUTSIDE: None}
    found = []
    for label in labels:
        bare = _POSITION.sub("", label)
        if bare not in known and label not in known:
            where = "not an infoType" if label_map is None else f"label map {label_map.name} does not have it"
            raise UserError(
                f"model {model}: label {bare}: {where}; set label_map to {', '.join(shipped())}, or a file"
            )
        found.append(known[bare] if bare in known else known[label])
    return tuple(found)


def pin_label_map(name: str) -> LabelMap:
    """Resolve a map's name to an absolute path and record its sha256, for workers on other machines.

    Raises:
        UserError: there is no such map.
    """
    sha256 = hashlib.sha256(_content(name)).hexdigest()
    return LabelMap(name if name in shipped() else absolute(name), sha256)


def read_label_map(label_map: LabelMap) -> Mapping[str, str | None]:
    """The infoType of each label; a file has the form of the shipped ones.

    Raises:
        UserError: it does not exist, has another sha256, is not a label map, or maps a label to something
            other than a built-in infoType; such findings would never be asked for and stay readable.
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
                f"label_map {name}: label {label} means {meaning or '(empty)'}, which is not an infoType; "
                "see 'tacenda config infotypes', or write null"
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
    """Names of the shipped maps."""
    folder = files(__package__) / "label_maps"
    return tuple(sorted(f.name.removesuffix(".yaml") for f in folder.iterdir() if f.name.endswith(".yaml")))
