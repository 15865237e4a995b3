"""Build the chain of a run that scores residual risk, with the detectors of both looks."""

from collections.abc import Sequence

from tacenda.models.cloud_dlp.detector import CloudDlpSettings
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.pipelines.chain import Chain
from tacenda.pipelines.detectors import asked_where_cut, build_detectors, build_second_look
from tacenda.pipelines.markings import build_markings
from tacenda.pipelines.replacers import build_replacer
from tacenda.transforms.detecting.machine_text.admission import Admission
from tacenda.transforms.detecting.mention_rules import MentionRules
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.language.coverage import LanguageSettings
from tacenda.transforms.linking.settings import LinkingSettings
from tacenda.transforms.replacing.hiding.checking import LeakCheck
from tacenda.transforms.replacing.settings import HIDDEN, ReplacementSettings
from tacenda.transforms.scoring.score_table import ScoreTable

_TOKENS = ReplacementSettings()
_LINKED = LinkingSettings()


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
    """See ``build_detectors`` for the first four arguments, ``Chain`` for the others."""
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
        build_replacer(replacement),
        [info_type for info_type, _ in replacement.kept],
        build_markings(replacement),
        MentionRules(rules),
        LeakCheck(replacement.hiding.t) if HIDDEN in replacement.drawn else None,
        linking,
        Admission(rules.own_info_types()),
    )
