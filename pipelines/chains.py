"""Build the chain for a run's settings, once a process."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from tacenda.pipelines.chain import Chain, ModelResults, Outcome
from tacenda.pipelines.detectors import build_detectors
from tacenda.pipelines.markings import build_markings
from tacenda.pipelines.score_chain import ScoreChain
from tacenda.pipelines.scoring_chain import scoring_chain
from tacenda.pipelines.settings import ChainSettings
from tacenda.transforms.detecting.machine_text.admission import Admission
from tacenda.transforms.detecting.mention_rules import MentionRules
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.reviewing.spans_files import load_reviews
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.storage.process_cache import built_once_for


class AnyChain(Protocol):
    """Turns a batch into its outcome."""

    def run(self, batch: ConversationBatch, known: Sequence[ModelResults] = ()) -> Outcome: ...


@built_once_for(4)
def chain_of(settings: ChainSettings) -> AnyChain:
    """Build the chain, cached per process: rules and dictionaries are too expensive to load for every unit."""
    risk = settings.risk
    table = ScoreTable.load(risk.preset, risk.overrides, risk.labels)
    if settings.command == "score":
        return ScoreChain(table, load_reviews(settings.spans), settings.all_reviewed, risk.variant_clustering)
    asked = settings.detectors, settings.inspect, settings.cloud_dlp, settings.models
    if settings.command == "inspect":
        detectors = build_detectors(*asked, models_apart=settings.models_apart)
        return Chain(
            detectors,
            [],
            ranks(),
            None,
            languages=settings.languages,
            markings=build_markings(settings.replacement),
            mention_rules=MentionRules(settings.inspect),
            # What is looked for is found, whoever stays readable in the end.
            linking=replace(settings.linking, reconcile="none"),
            admission=Admission(settings.inspect.own_info_types()),
        )
    return scoring_chain(
        *asked,
        table,
        risk.variant_clustering,
        models_apart=settings.models_apart,
        languages=settings.languages,
        drop_over=settings.drop_over,
        replacement=settings.replacement,
        linking=settings.linking,
    )
