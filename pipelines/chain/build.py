"""Build the chain for a run's settings, once a process."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from tacenda.models.cloud_dlp.detector import CloudDlpSettings
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.pipelines.chain.chain import Chain, ModelResults, Outcome, Replacing
from tacenda.pipelines.chain.detectors import asked_where_cut, build_detectors, build_second_look
from tacenda.pipelines.chain.replacers import build_replacer
from tacenda.pipelines.chain.score_chain import ScoreChain
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.config.markings import build_markings
from tacenda.transforms.detecting.machine_text.admission import Admission
from tacenda.transforms.detecting.mention_rules import MentionRules
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.language.coverage import LanguageSettings
from tacenda.transforms.linking.settings import LinkingSettings
from tacenda.transforms.replacing.hiding.checking import LeakCheck
from tacenda.transforms.replacing.settings import HIDDEN, ReplacementSettings
from tacenda.transforms.reviewing.spans_files import load_reviews
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.storage.process_cache import built_once_for

_TOKENS = ReplacementSettings()
_LINKED = LinkingSettings()


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
            replacing=Replacing(markings=build_markings(settings.replacement)),
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


def scoring_chain(
    names: Sequence[str],
    rules: InspectSettings,
    cloud_dlp: CloudDlpSettings | None,
    models: Sequence[ModelSettings],
    table: ScoreTable,
    variant_clustering: bool = False,
    *,
    models_apart: bool = False,
    languages: LanguageSettings | None = None,
    drop_over: int | None = None,
    replacement: ReplacementSettings = _TOKENS,
    linking: LinkingSettings = _LINKED,
) -> Chain:
    """The chain that scores residual risk, with the detectors of both looks.

    See ``build_detectors`` for the first four arguments, ``Chain`` for the others.
    """
    detectors = build_detectors(names, rules, cloud_dlp, models, models_apart=models_apart)
    # Models in stages of their own compute both looks at once.
    second_look = build_second_look(names, rules, cloud_dlp, () if models_apart else models)
    where_cut = asked_where_cut(detectors)
    return Chain(
        detectors,
        second_look,
        ranks(),
        table,
        variant_clustering,
        where_cut,
        languages,
        drop_over,
        Replacing(
            build_replacer(replacement),
            [info_type for info_type, _ in replacement.kept],
            build_markings(replacement),
            LeakCheck(replacement.hiding.t) if HIDDEN in replacement.drawn else None,
        ),
        MentionRules(rules),
        linking,
        Admission(rules.own_info_types()),
    )
