"""Reading options: the user's flags on shape, field names and kept fields."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Reading options, the same for every work unit of a run.

    ``fields`` maps canonical names (``conversation_id``, ``turns``, ``turns.text``) to the names in the input
    (``call_id``, ``utterances``, ``said``). ``keep`` lists further fields to write, at the top level
    (``channel``) or in each turn (``turns.channel``); they are anonymised like text, unless ``opaque`` gives
    a reason to write them unchanged. Conversations with a turn longer than ``max_turn_chars`` code points are
    quarantined. A work unit has about ``unit_bytes`` of text, a part about ``part_bytes``. Only the first
    ``limit`` conversations are read or, for turn-a-row input, those with an id in ``only``; None for all.
    ``unwritten`` is a kept, opaque field that is read for the run itself, and not written.
    """

    shape: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    keep: tuple[str, ...] = ()
    opaque: Mapping[str, str] = field(default_factory=dict)
    max_turn_chars: int = 1_000_000  # a turn dense with findings takes some 150 MB per million
    unit_bytes: int = MEBIBYTE
    part_bytes: int = 128 * MEBIBYTE
    limit: int | None = None
    only: frozenset[str] | None = None
    unwritten: str | None = None

    def actual(self, canonical: str) -> str:
        """Return the input's name of a field; for a nested field, the name inside its list.

        >>> ReadOptions(fields={"turns.text": "said"}).actual("turns.text")
        'said'
        >>> ReadOptions().actual("turns.speaker")
        'speaker'
        """
        return self.fields.get(canonical, canonical.rpartition(".")[2])

    def kept(self, container: str | None = None) -> tuple[str, ...]:
        """Return the kept fields at the top level, or those inside a list field (canonical name).

        >>> ReadOptions(keep=("channel", "turns.start")).kept("turns")
        ('start',)
        """
        return self._within(self.keep, container)

    def opened(self, container: str | None = None) -> frozenset[str]:
        """Return the kept fields that are not opaque."""
        return frozenset(self._within([name for name in self.keep if name not in self.opaque], container))

    def _within(self, names: Collection[str], container: str | None) -> tuple[str, ...]:
        nested = {name: name.partition(".") for name in names if "." in name}
        if container is None:
            return tuple(name for name in names if name not in nested)
        prefixes = {container, self.actual(container)}
        return tuple(inner for outer, _, inner in nested.values() if outer in prefixes)
