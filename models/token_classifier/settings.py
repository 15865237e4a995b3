"""Settings of one model, as passed to workers."""

from dataclasses import dataclass
from typing import Any

from tacenda.models.token_classifier.decoding_settings import Decision
from tacenda.models.token_classifier.labels import LabelMap


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """One model of a run.

    ``path`` is the folder of its package, None for the shipped one. ``fingerprint`` is that of the package
    when the run was planned; workers reject any other. ``decision`` overrides the package's own.
    ``label_map`` translates the labels of a model that is not ours. ``threads`` is the number of threads of
    the network. ``languages`` are those that it covers: the config's or else the package's own; of these,
    ``claimed`` are those for which nothing measured stands, because the config alone names them or the package
    has no figures.
    ``device`` is where the network runs: "cpu", or "cuda", where all workers of a machine share one process.
    """

    path: str | None
    fingerprint: str
    decision: Decision
    label_map: LabelMap | None = None
    threads: int = 1
    languages: tuple[str, ...] = ()
    claimed: tuple[str, ...] = ()
    device: str = "cpu"

    def to_dict(self) -> dict[str, Any]:
        """The entry in manifest and report: everything that affects the findings."""
        optional = {
            "claimed": list(self.claimed),
            "device": "" if self.device == "cpu" else self.device,
        }
        return {
            "decision": self.decision.to_dict(),
            "label_map": dict(self.label_map) if isinstance(self.label_map, tuple) else self.label_map,
            "threads": self.threads,
            "languages": list(self.languages),
        } | {name: value for name, value in optional.items() if value}
