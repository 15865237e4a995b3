"""Reading options: the user's flags on shape, field names and kept fields."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """The settings of reading, the same for every work unit of a run.

    ``fields`` maps a canonical name (``conversation_id``, ``turns``, ``turns.text``) to the name the input
    uses (``call_id``, ``utterances``, ``said``). ``keep`` names fields to write beside the turns, at the top
    (``channel``) or in each turn (``turns.channel``); what stands in them is anonymised like text, unless
    ``opaque`` says why a field is written as it was read. A turn above ``max_turn_chars`` code points sends its
    conversation to quarantine. A work unit holds about ``unit_bytes`` of text, a part about ``part_bytes``.
    Only the first ``limit`` conversations are read, and of turn-a-row input those with an id in ``only``; None
    for all.
    """

    shape: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    keep: tuple[str, ...] = ()
    opaque: Mapping[str, str] = field(default_factory=dict)
    max_turn_chars: int = 1_000_000  # a turn dense with findings takes some 150 MB for each million
    unit_bytes: int = MEBIBYTE
    part_bytes: int = 128 * MEBIBYTE
    limit: int | None = None
    only: frozenset[str] | None = None

    def actual(self, canonical: str) -> str:
        """Return the input's own name for a field; of a nested one, the name inside its list.

        >>> ReadOptions(fields={"turns.text": "said"}).actual("turns.text")
        'said'
        >>> ReadOptions().actual("turns.speaker")
        'speaker'
        """
        return self.fields.get(canonical, canonical.rpartition(".")[2])

    def kept(self, container: str | None = None) -> tuple[str, ...]:
        """Return the kept fields at the top, or those of each entry of a list field (canonical name).

        >>> ReadOptions(keep=("channel", "turns.start")).kept("turns")
        ('start',)
        """
        return self._within(self.keep, container)

    def opened(self, container: str | None = None) -> frozenset[str]:
        """Return the same less those that are opaque."""
        return frozenset(self._within([name for name in self.keep if name not in self.opaque], container))

    def _within(self, names: Collection[str], container: str | None) -> tuple[str, ...]:
        nested = {name: name.partition(".") for name in names if "." in name}
        if container is None:
            return tuple(name for name in names if name not in nested)
        prefixes = {container, self.actual(container)}
        return tuple(inner for outer, _, inner in nested.values() if outer in prefixes)
