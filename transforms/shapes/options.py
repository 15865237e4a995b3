"""Reading options: the user's choice of shape, field names and kept fields, and what follows from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tacenda.transforms.shapes.mapping import FieldMapping

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to read conversations.

    Attributes:
        shape: the name of a shape, such as ``turns`` or ``chat``; None to recognise it.
        fields: names in your data by canonical names: ``{"conversation_id": "call_id", "turns.text": "said"}``.
        keep: further fields to write, at the top level (``channel``) or in each turn (``turns.channel``). They
            are anonymised like text.
        opaque: fields among ``keep`` to write unchanged, and why.
        max_turn_chars: conversations with a longer turn, in code points, are rejected.
        unit_bytes: approximate bytes of text in a work unit, which one task processes.
        part_bytes: approximate bytes of text in an output file of the command; of no effect elsewhere.
        limit: only the first conversations are read; None for all.
        mapping: says what the fields of an export are; None to recognise it.
    """

    shape: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    keep: tuple[str, ...] = ()
    opaque: Mapping[str, str] = field(default_factory=dict)
    max_turn_chars: int = 1_000_000  # a turn dense with findings takes some 150 MB per million
    unit_bytes: int = MEBIBYTE
    part_bytes: int = 128 * MEBIBYTE
    limit: int | None = None
    mapping: FieldMapping | None = None


READ_ALONE = "read for the split, and not written"  # the reason to read a field that is not written


def actual_name(options: ReadOptions, canonical: str) -> str:
    """The input's name of a field; for a nested field, the name inside its list.

    >>> actual_name(ReadOptions(fields={"turns.text": "said"}), "turns.text")
    'said'
    >>> actual_name(ReadOptions(), "turns.speaker")
    'speaker'
    """
    return options.fields.get(canonical, canonical.rpartition(".")[2])


def unwritten_field(options: ReadOptions) -> str | None:
    """The kept field that is read for the run itself; None if there is none."""
    return next((name for name, reason in options.opaque.items() if reason == READ_ALONE), None)
