"""Settings of one model, as a run hands them to its workers."""

from dataclasses import dataclass
from typing import Any

from tacenda.models.token_classifier.decoding_settings import Decision
from tacenda.models.token_classifier.labels import LabelMap


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """One model of a run.

    ``path`` is the folder of its package, None for the one that comes with Tacenda. ``fingerprint`` is what the
    package had when the run was planned; a worker that finds another refuses it. ``decision`` overrides the
    package's own. ``label_map`` says what a foreign model's labels mean. ``threads`` are the network's own, and
    ``places`` how many padded places it is given at once; None for what suits it. ``skipping``: turns that the
    package's filter calls harmless do not go through the network. ``languages`` are
    those that it covers: the package's own or, of a model whose files do not say, the config's.
    """

    path: str | None
    fingerprint: str
    decision: Decision
    label_map: LabelMap | None = None
    threads: int = 1
    places: int | None = None
    skipping: bool = False
    languages: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """What manifest and report say of it, and what makes its findings other than those of another run."""
        name, sha256 = self.label_map or (None, None)
        return {
            "decision": self.decision.to_dict(),
            "label_map": name,
            "label_map_sha256": sha256,
            "threads": self.threads,
            "places": self.places,
            "skipping": self.skipping,
            "languages": list(self.languages),
        }
