"""The ``output`` section and its options: which fields to write, and how to treat ids and contexts."""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from tacenda.pipelines.config.document import ConfigDocument, check_section
from tacenda.pipelines.config.job_settings import HeldOutput
from tacenda.transforms.schema.errors import UserError, is_reason
from tacenda.transforms.storage.files import absolute, read_bytes
from tacenda.transforms.writing.columns import CorpusFormat
from tacenda.transforms.writing.converting import ROLES
from tacenda.transforms.writing.splitting import SPLIT_NAME

Labels = Literal["quarantine", "hash"]
"""Treatment of conversations whose id or context looks like personal data."""

LABEL_FIELDS = ("conversation_id", "context")
"""Fields that are always written, and inspected unless they are opaque."""

_LEAST_KEY_BYTES = 16
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class OutputSettings:
    """``keep`` lists fields to write anonymised; ``opaque`` maps fields to write unchanged to the reason.

    With ``labels`` "hash", every id, and every context that looks like personal data, is replaced by its
    keyed hash; ``key_file`` holds the key. ``held`` says whether a held corpus is kept, apart from what may
    be used. ``standoff`` is the folder for the positions of replacements, ``dictionary`` the folder for the
    names behind the tokens of reconciled people; None if they are not written.
    ``format`` and ``to`` are the format and the shape of the corpus, None for those of the input; ``roles``
    says which speaker labels are which role where it is converted. ``split`` are shares of the corpus by the
    name of the split, ``split_by`` is a field whose equal values stay together, ``split_seed`` decides what
    goes where.
    """

    keep: tuple[str, ...] = ()
    opaque: Mapping[str, str] = field(default_factory=dict)
    labels: Labels = "quarantine"
    key_file: str | None = None
    held: HeldOutput = "keep"
    standoff: str | None = None
    dictionary: str | None = None
    format: CorpusFormat | None = None
    to: str | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    split: Mapping[str, float] = field(default_factory=dict)
    split_by: str | None = None
    split_seed: int = 0

    def kept(self) -> tuple[str, ...]:
        """All fields to keep, including opaque ones."""
        return (*self.keep, *(name for name in self.opaque if name not in (*self.keep, *LABEL_FIELDS)))

    def key(self) -> bytes | None:
        """Read the key of the hashes.

        Raises:
            UserError: it cannot be read or is too short.
        """
        if self.key_file is None:
            return None
        try:
            key = read_bytes(self.key_file).strip()
        except OSError as error:
            raise UserError(f"output.key_file: cannot be read ({type(error).__name__})") from None
        if len(key) < _LEAST_KEY_BYTES:
            raise UserError(f"output.key_file: a key must have at least {_LEAST_KEY_BYTES} bytes")
        return key

    def to_dict(self) -> dict[str, Any]:
        """The entry in manifest and report, and in the config's hash; what was not asked for is left out."""
        asked = {
            "format": self.format,
            "to": self.to,
            "roles": dict(sorted(self.roles.items())),
            "split": dict(self.split),
            "split_by": self.split_by,
            "split_seed": self.split_seed,
        }
        return {
            "keep": sorted(self.keep),
            "opaque": dict(sorted(self.opaque.items())),
            "labels": self.labels,
            "held": self.held,
            **{name: value for name, value in asked.items() if value},
        }


def output_settings(document: ConfigDocument, arguments: argparse.Namespace) -> OutputSettings:
    """The section, and the options that say the same.

    Raises:
        UserError: a setting is invalid, or an opaque field has no reason.
    """
    check_section(document, "output")
    section = document.section("output")
    keep, opaque = section.get("keep") or [], section.get("opaque") or {}
    labels, key_file = section.get("labels") or "quarantine", section.get("key_file")
    if (labels == "hash") != bool(key_file):
        raise document.error(
            "output.labels",
            "hash needs output.key_file, a file with a secret key; key_file applies to hash only",
        )
    split = getattr(arguments, "split", None) or section.get("split") or {}
    split_by = getattr(arguments, "split_by", None) or section.get("split_by")
    seed = getattr(arguments, "split_seed", None)
    if split_by and not split:
        raise UserError("--split-by: only applies to --split")
    named = dict(pair for value in getattr(arguments, "opaque", None) or () for pair in [_reasoned(value)])
    kept = [*keep, *(getattr(arguments, "keep", None) or ())]
    return OutputSettings(
        tuple(name for name in dict.fromkeys(kept) if name not in {*opaque, *named, *LABEL_FIELDS}),
        {**opaque, **named},
        cast(Labels, labels),
        absolute(key_file) if key_file else None,
        section.get("held") or "keep",
        _folder("standoff", arguments, section),
        _folder("dictionary", arguments, section),
        getattr(arguments, "format", None) or section.get("format"),
        getattr(arguments, "to", None) or section.get("to"),
        {**(section.get("roles") or {}), **dict(map(_role, getattr(arguments, "role", None) or ()))},
        _shares(split),
        split_by,
        section.get("split_seed", 0) if seed is None else seed,
    )


def _folder(name: str, arguments: argparse.Namespace, section: Mapping[str, Any]) -> str | None:
    folder = getattr(arguments, name, None) or section.get(name)
    return absolute(folder).rstrip("/") if folder else None


def _reasoned(value: str) -> tuple[str, str]:
    name, _, reason = value.partition("=")
    if not name or not is_reason(reason):
        raise UserError(
            f"--opaque {name}: write it as FIELD=REASON; the reason is written to manifest and report"
        )
    return name, reason


def _shares(split: Mapping[str, float]) -> dict[str, float]:
    shares = {str(name): float(share) for name, share in split.items()}
    wrong = [name for name in shares if not SPLIT_NAME.fullmatch(name) or name == "all"]
    if wrong:
        raise UserError(
            f"--split {wrong[0]}: name a split with letters, digits and _, beginning with a letter; not all"
        )
    if shares and (min(shares.values()) <= 0 or abs(sum(shares.values()) - 1) > _ROUNDING):
        raise UserError("--split: shares are above 0 and add up to 1, as in train=.9,validation=.1")
    return shares


def _role(value: str) -> tuple[str, str]:
    label, _, role = value.rpartition("=")
    if not label or role not in ROLES:
        raise UserError(f"--role {value}: write it as SPEAKER=ROLE; a role is {', '.join(ROLES)}")
    return label, role
