"""The ``output`` section and its options: which fields to write, and how to treat ids and contexts."""

import argparse
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from tacenda.pipelines.config.document import ConfigDocument
from tacenda.pipelines.config.job_settings import Command
from tacenda.transforms.schema.errors import UserError, is_reason
from tacenda.transforms.shapes.labels import TOOLS, UNCHECKED, LabelRules, Treatment
from tacenda.transforms.storage.files import absolute, read_bytes
from tacenda.transforms.writing.columns import CorpusFormat
from tacenda.transforms.writing.converting import KEEP, ROLES
from tacenda.transforms.writing.splitting import SPLIT_NAME

LABEL_FIELDS = ("conversation_id", "context")
"""Fields that are always written, and inspected unless they are opaque."""

_LEAST_KEY_BYTES = 16
_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class OutputSettings:
    """``keep`` lists fields to write anonymised; ``opaque`` maps fields to write unchanged to the reason.
    ``key_file`` holds the key of the hashes that take the place of ids and contexts; ``keep_ids`` is the reason
    why ids stay as they are, None if they do not. ``standoff`` is the folder for the positions of replacements,
    ``dictionary`` that for the names behind the tokens of reconciled people; None if they are not written.
    ``format`` and ``to`` are the format and the shape of the corpus, None for those of the input; ``roles``
    says which speaker labels are which role where it is converted. ``split`` are shares of the corpus by the
    name of the split, ``split_by`` is a field whose equal values stay together, ``split_seed`` decides what
    goes where.
    """

    keep: tuple[str, ...] = ()
    opaque: Mapping[str, str] = field(default_factory=dict)
    keep_ids: str | None = None
    key_file: str | None = None
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
        """Read the key of the hashes."""
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
        told = {**asdict(self), "keyed": self.key_file is not None, "roles": dict(sorted(self.roles.items()))}
        asked = ("keep_ids", "keyed", "format", "to", "roles", "split", "split_by", "split_seed")
        return {
            "keep": sorted(self.keep),
            "opaque": dict(sorted(self.opaque.items())),
            **{name: told[name] for name in asked if told[name]},
        }


def output_settings(document: ConfigDocument, arguments: argparse.Namespace) -> OutputSettings:
    """The section, and the options that say the same; what both say is that of the option, or added to it."""
    section = document.settings("output")
    option = vars(arguments).get

    def asked(name: str) -> Any:
        return option(name) or section.get(name)

    def folder(name: str) -> Any:
        return absolute(asked(name)).rstrip("/") if asked(name) else None

    key_file, seed = section.get("key_file"), option("split_seed")
    if asked("split_by") and not asked("split"):
        raise UserError("--split-by: only applies to --split")
    opaque = {**section.get("opaque", {}), **dict(option("opaque") or ())}
    for name in opaque:
        if not is_reason(opaque[name]):
            raise UserError(
                f"--opaque {name}: give the reason in words; it is written to manifest and report"
            )
    roles = dict(section.get("roles", {}))
    for value in option("role") or ():
        label, _, role = value.rpartition("=") if "=" in value else (value, "", KEEP)
        if not label or role not in (*ROLES, KEEP):
            told = f"write it as SPEAKER or SPEAKER=ROLE; a role is {', '.join(ROLES)}"
            raise UserError(f"--role {value}: {told}")
        roles[label] = role
    keep = dict.fromkeys((*section.get("keep", ()), *(option("keep") or ())))
    return OutputSettings(
        keep=tuple(name for name in keep if name not in {*opaque, *LABEL_FIELDS}),
        opaque=opaque,
        key_file=absolute(key_file) if key_file else None,
        roles=roles,
        split=_shares(asked("split") or {}),
        split_seed=section.get("split_seed", 0) if seed is None else seed,
        **{name: asked(name) for name in ("keep_ids", "format", "to", "split_by")},
        **{name: folder(name) for name in ("standoff", "dictionary")},
    )


def label_rules(command: Command, output: OutputSettings, *, rejecting: bool = False) -> LabelRules:
    """What happens to ids and contexts: ``inspect`` keeps them, and ``score`` too unless they are somebody's.

    ``rejecting``: callers from Python have their conversations beside the results, so conversations with ids
    or contexts that look personal are rejected unless there is a key.
    """
    if command == "inspect":
        return UNCHECKED
    key = output.key() if command == "anonymize" else None
    usual: Treatment = "check" if command != "anonymize" or (rejecting and key is None) else "replace"
    ids: Treatment = "keep" if "conversation_id" in output.opaque else "check" if output.keep_ids else usual
    contexts: Treatment = "keep" if "context" in output.opaque else usual
    return LabelRules(ids, contexts, key, tools=TOOLS not in output.opaque)


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
