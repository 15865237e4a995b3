"""Build the chain for a run's settings, once a process."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from tacenda.pipelines.chain.chain import Chain, Replacing, Scoring
from tacenda.pipelines.chain.detecting import ModelResults
from tacenda.pipelines.chain.detectors import MODEL, asked_where_cut, build_detectors, build_second_look
from tacenda.pipelines.chain.outcome import Outcome
from tacenda.pipelines.chain.replacers import build_replacer
from tacenda.pipelines.chain.score_chain import ScoreChain
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.config.laboratory import laboratory
from tacenda.pipelines.config.named_files import build_markings
from tacenda.transforms.detecting.rule_sets import MentionRules
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.linking.settings import RECONCILE
from tacenda.transforms.replacing.policies import dictionary_words, fixed_values
from tacenda.transforms.replacing.settings import HIDDEN
from tacenda.transforms.replacing.standing_out import LEAK_CHECK
from tacenda.transforms.reviewing.spans_files import load_reviews
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.storage.process_cache import built_once_for


class AnyChain(Protocol):
    """Turns a batch into its outcome."""

    def run(self, batch: ConversationBatch, known: Sequence[ModelResults] = ()) -> Outcome: ...


@built_once_for(4)
def chain_of(settings: ChainSettings) -> AnyChain:
    """The chain, cached per process: rules and dictionaries are too expensive to load for every unit."""
    return build_chain(settings)


def build_chain(settings: ChainSettings) -> AnyChain:
    """Build the chain of a command: ``score`` has no detectors, and ``inspect`` scores nothing."""
    risk = settings.risk
    table = ScoreTable.load(risk.preset, risk.overrides, risk.labels)
    if settings.command == "score":
        return ScoreChain(
            table,
            load_reviews(settings.spans),
            settings.all_reviewed,
            risk.variant_clustering,
        )
    asked = settings.detectors, settings.inspect, settings.cloud_dlp
    detectors = build_detectors(*asked, settings.models, models_apart=settings.models_apart)
    rules, replacement = settings.inspect, settings.replacement
    mention_rules = MentionRules(rules)
    if settings.command == "inspect":
        return Chain(
            detectors,
            ranks(),
            replacing=Replacing(markings=build_markings(replacement)),
            languages=settings.languages,
            mention_rules=mention_rules,
            # What is looked for is found, whoever stays readable in the end.
            linking=replace(settings.linking, reconcile="none", public_knowledge=False),
            own_types=rules.own_info_types(),
        )
    return Chain(
        detectors,
        ranks(),
        Scoring(
            table,
            # Models in stages of their own compute both looks at once.
            build_second_look(*asked, () if settings.models_apart else settings.models),
            asked_where_cut(detectors),
            risk.variant_clustering,
            settings.drop_over,
            # Rules and lists alone find no names that they do not know, which the verdict says anyway.
            swap_rate=settings.swap_rate if MODEL in settings.detectors else 0.0,
        ),
        Replacing(
            build_replacer(replacement),
            [info_type for info_type, _ in replacement.kept],
            build_markings(replacement),
            laboratory(LEAK_CHECK)(replacement.hiding.t) if HIDDEN in replacement.drawn else None,
            laboratory(RECONCILE) if settings.linking.reconcile != "none" else None,
            fixed_values(replacement.policies),
            dictionary_words(replacement.policies),
        ),
        settings.languages,
        mention_rules,
        settings.linking,
        rules.own_info_types(),
    )
