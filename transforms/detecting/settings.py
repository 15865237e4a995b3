"""Settings of the rules engine: plain, frozen, picklable; no protobuf."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from tacenda.transforms.schema.likelihood import Likelihood


@dataclass(frozen=True)
class WordDictionary:
    """Terms given inline (``words``) or in a text file, one per line (``url``).

    ``sha256`` is the hash of the file when the run began; workers reject any other version.
    """

    words: tuple[str, ...] = ()
    url: str | None = None
    sha256: str | None = None


@dataclass(frozen=True)
class Regex:
    """An RE2 pattern; ``groups`` are the submatches to report (0: the whole match)."""

    pattern: str
    groups: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class Surrogate:
    """Finds values written by reversible replacement: ``NAME(length):`` and that many characters."""


@dataclass(frozen=True)
class Function:
    """A function of the user's own by its ``module:function``; ``sha256`` is the hash of the module's file."""

    name: str
    sha256: str


@dataclass(frozen=True)
class Hotword:
    """Changes the likelihood of a finding near a hotword.

    The hotword must lie entirely between ``window_before`` code points before the finding and
    ``window_after`` after it. ``fixed`` sets the likelihood; otherwise it changes by ``relative`` steps.
    """

    regex: str
    window_before: int = 0
    window_after: int = 0
    fixed: Likelihood | None = None
    relative: int = 0


class Matching(str, Enum):
    """How much of a finding an exclusion must match."""

    FULL = "MATCHING_TYPE_FULL_MATCH"
    PARTIAL = "MATCHING_TYPE_PARTIAL_MATCH"
    INVERSE = "MATCHING_TYPE_INVERSE_MATCH"


@dataclass(frozen=True)
class Exclusion:
    """Rejects findings; exactly one of the four conditions is set."""

    matching: Matching = Matching.FULL
    dictionary: WordDictionary | None = None
    regex: str | None = None
    info_types: tuple[str, ...] = ()
    hotword: Hotword | None = None


@dataclass(frozen=True)
class CustomInfoType:
    """A user's detector; with the name of a built-in infoType, it adds to that."""

    info_type: str
    likelihood: Likelihood
    source: WordDictionary | Regex | Surrogate | Function
    hotwords: tuple[Hotword, ...] = ()
    excluding: bool = False
    """Its findings are only used by exclusion rules, never returned."""


@dataclass(frozen=True)
class RuleSet:
    """Rules, in order, for the findings of some infoTypes."""

    info_types: tuple[str, ...]
    rules: tuple[Hotword | Exclusion, ...]


@dataclass(frozen=True)
class InspectSettings:
    """A checked InspectConfig; ``info_types`` are the built-in ones to find, resolved from the defaults."""

    info_types: tuple[str, ...]
    min_likelihood: Likelihood = Likelihood.POSSIBLE
    min_likelihood_by_info_type: tuple[tuple[str, Likelihood], ...] = ()
    custom: tuple[CustomInfoType, ...] = ()
    rule_sets: tuple[RuleSet, ...] = ()

    def _exclusions(self) -> list[Exclusion]:
        return [rule for own in self.rule_sets for rule in own.rules if isinstance(rule, Exclusion)]

    @property
    def exclusions(self) -> int:
        """The number of rules that reject findings."""
        return len(self._exclusions())

    def asked(self, known: Iterable[str]) -> list[str]:
        """Those of a detector's infoTypes that the config asks for."""
        return [name for name in known if name in self.info_types]

    def thresholds(
        self, info_types: Iterable[str], override: Likelihood | None = None
    ) -> dict[str, Likelihood]:
        """The minimum likelihood of each infoType; ``override`` replaces every threshold."""
        own = dict(self.min_likelihood_by_info_type)
        return {
            name: own.get(name, self.min_likelihood) if override is None else override for name in info_types
        }

    def rules(self, info_types: Iterable[str]) -> dict[str, list[Hotword | Exclusion]]:
        """The rules for the findings of each infoType, in order."""
        return {
            name: [rule for s in self.rule_sets if name in s.info_types for rule in s.rules]
            for name in info_types
        }

    def excluding(self, info_types: Iterable[str]) -> set[str]:
        """The infoTypes whose findings exclude findings of the given ones."""
        rules = (rule for several in self.rules(info_types).values() for rule in several)
        return {name for rule in rules if isinstance(rule, Exclusion) for name in rule.info_types}

    def own_info_types(self) -> frozenset[str]:
        """The infoTypes that the config defines or adds to."""
        return frozenset(custom.info_type for custom in self.custom if not custom.excluding)

    def excludes_by_surroundings(self) -> bool:
        """Whether any rule rejects findings by what is near or over them."""
        return any(rule.hotword is not None or rule.info_types for rule in self._exclusions())
