"""Build the chain, detectors and replacer for a run's settings, once a process."""

from dataclasses import replace
from typing import Any

from tacenda.models.cloud_dlp.detector import CloudDlpDetector
from tacenda.models.token_classifier.batch_invariance import Batching
from tacenda.models.token_classifier.detector import TokenClassifierDetector
from tacenda.models.token_classifier.loading import loaded, package_of
from tacenda.models.token_classifier.package import Engine
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.pipelines.chain.chain import TOKENS, Chain
from tacenda.pipelines.chain.score_chain import ScoreChain
from tacenda.pipelines.config.detectors import GAZETTEER, MODEL, RULES, DetectorSettings
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.config.laboratory import ENGINE, laboratory
from tacenda.pipelines.config.named_files import read_list
from tacenda.transforms.detecting.correcting.eponyms import mark_eponyms
from tacenda.transforms.detecting.correcting.marks import ListMarking
from tacenda.transforms.detecting.detector import Detector, TwoLookDetector
from tacenda.transforms.detecting.names.detector import GazetteerDetector
from tacenda.transforms.detecting.rule_sets import MentionRules
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import Hotword, InspectSettings
from tacenda.transforms.detecting.spoken import SpokenDetector
from tacenda.transforms.linking.linked import RECONCILE
from tacenda.transforms.replacing import policies
from tacenda.transforms.replacing import settings as names
from tacenda.transforms.replacing.keys import fingerprint
from tacenda.transforms.replacing.replacement import Replacer
from tacenda.transforms.replacing.settings import ReplacementSettings
from tacenda.transforms.replacing.standing_out import LEAK_CHECK
from tacenda.transforms.replacing.tokens import CorpusTokenReplacer
from tacenda.transforms.reviewing.spans_files import load_reviews
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.process_cache import built_once_for

_CHECK_TIMEOUT_S = 30

AnyChain = Chain | ScoreChain
"""Turns a batch into its outcome."""


@built_once_for(4)
def chain_of(settings: ChainSettings) -> AnyChain:
    """The chain, cached per process: rules and dictionaries are too expensive to load for every unit."""
    return build_chain(settings)


def build_chain(settings: ChainSettings) -> AnyChain:
    """Build the chain of a command: ``score`` has no detectors, and ``inspect`` scores nothing."""
    risk, detecting, asked = settings.risk, settings.detecting, settings.replacement
    table = risk.table()
    if settings.command == "score":
        return ScoreChain(table, load_reviews(settings.spans), settings.all_reviewed, risk.variant_clustering)
    detectors = build_detectors(detecting)
    inspecting = Chain(
        detectors,
        ranks(),
        markings=[
            *([ListMarking(*map(read_list, asked.lists))] if asked.lists else []),
            *([mark_eponyms] if asked.eponyms else []),
        ],
        languages=settings.languages,
        mention_rules=MentionRules(detecting.rules),
        linking=settings.linking,
        own_types=detecting.rules.own_info_types(),
        doubts=_doubts(detecting),
    )
    if settings.command == "inspect":
        return inspecting
    return replace(
        inspecting,
        table=table,
        second_look=build_detectors(detecting, Likelihood.VERY_UNLIKELY),
        # Replacement tokens may create the word boundaries that these depend on.
        where_cut=[one for one in detectors if isinstance(one, RulesDetector | SpokenDetector)],
        variant_clustering=risk.variant_clustering,
        drop_over=settings.drop_over,
        # Rules and lists alone find no names that they do not know, which the verdict says anyway.
        swap_rate=settings.swap_rate if MODEL in detecting.names else 0.0,
        replacer=build_replacer(asked),
        kept=[info_type for info_type, _ in asked.kept],
        leak_check=laboratory(LEAK_CHECK)(asked.hiding.t) if names.HIDDEN in asked.drawn else None,
        reconciler=laboratory(RECONCILE) if settings.linking.reconcile != "none" else None,
        fixed=policies.fixed_values(asked.policies),
        listed=policies.dictionary_words(asked.policies),
    )


def build_detectors(settings: DetectorSettings, least: Likelihood | None = None) -> list[Detector]:
    """Build the detectors of the first look; with a ``least`` likelihood, those that inspect the replaced text.

    Other detectors compute both looks at once (``TwoLookDetector``). Lists of names cannot: they depend on
    the capitalisation and language of the whole conversation, which change when names are replaced. Rules
    cannot if an exclusion depends on surrounding text: once that is replaced, the exclusion no longer
    applies.
    """
    first, rules, detectors = least is None, settings.rules, list[Detector]()
    if RULES in settings.names and (first or rules.excludes_by_surroundings()):
        written = RulesDetector(rules, least)
        detectors += [written, SpokenDetector(rules, least)]
    if GAZETTEER in settings.names:
        detectors.append(GazetteerDetector(rules, least))
    for model in settings.models:
        built = _model_detector(rules, model, least)
        if first or not isinstance(built, TwoLookDetector):
            detectors.append(built)
    if settings.cloud_dlp is not None:
        detectors.append(CloudDlpDetector(settings.cloud_dlp, least))
    return detectors


def _model_detector(rules: InspectSettings, model: ModelSettings, least: Likelihood | None) -> Detector:
    if package_of(model.path).engine is Engine.MASKED_LM:
        detector: Detector = laboratory(ENGINE)(rules, model, least)
        return detector
    return TokenClassifierDetector(rules, model, least)


def check_detectors(settings: DetectorSettings) -> list[str]:
    """Before a run, load every model and send every service a request without data; returns notes for the
    user.
    """
    notes = []
    for model in settings.models:
        package = package_of(model.path)
        if package.engine is Engine.MASKED_LM:
            _model_detector(settings.rules, model, None)
        elif loaded(model).batching is Batching.ALONE:
            notes.append(
                f"model {package.name}: the scores of a row depend on the rows in the same call, so it gets "
                "one row at a time; this is slower, but findings do not depend on what else is in the corpus"
            )
    if (cloud := settings.cloud_dlp) is not None:
        limit = min(_CHECK_TIMEOUT_S, cloud.total_timeout_s)
        CloudDlpDetector(replace(cloud, total_timeout_s=limit)).check()
    return notes


def _doubts(settings: DetectorSettings) -> dict[str, float]:
    """What models doubt; nothing of the config's own infoTypes and hotwords, or asked for at any likelihood."""
    rules = settings.rules
    told = [pair for model in settings.models for pair in model.decision.doubts]
    least, of_config = rules.thresholds(dict(told)), rules.rules(dict(told))
    asked = {n for n, several in of_config.items() if any(isinstance(one, Hotword) for one in several)}
    asked |= rules.own_info_types()
    return {n: below for n, below in told if n not in asked and least[n] >= Likelihood.POSSIBLE}


def _replacer(name: str, settings: ReplacementSettings) -> Replacer:
    """The replacer of a name in the config; built on a worker, where keys are read."""
    if name == names.TOKENS and settings.scope != "corpus":
        return TOKENS
    assert settings.secret is not None, "without a secret the config was refused"
    secret = settings.secret.read()
    if name == names.TOKENS:
        return CorpusTokenReplacer(secret)
    arguments: list[Any] = [secret]
    if name in (names.SURROGATES, names.HIDDEN):
        # Imported where asked for: its lists of names are not small.
        from tacenda.transforms.replacing.surrogates.replacer import SurrogateReplacer

        surrogates = SurrogateReplacer(secret, settings.surrogates)
        if name == names.SURROGATES:
            return surrogates
        arguments += [settings.hiding, surrogates]
    elif name == names.MASKED_LM:
        asked = {info_type for info_type, own in settings.info_types if own == name}
        arguments += [settings.masked_lm, None if settings.default == name else asked]
    replacer: Replacer = laboratory(name)(*arguments)
    return replacer


def build_replacer(settings: ReplacementSettings) -> Replacer:
    """The replacer for some settings."""
    replacer = _replacer(settings.default, settings)
    if settings.info_types:
        built = {name: _replacer(name, settings) for _, name in settings.info_types}
        replacer = policies.ReplacerByInfoType(
            {known: built[name] for known, name in settings.info_types}, replacer
        )
    if any(policies.transformations(settings.policies)):
        replacer = policies.PolicyReplacer(settings.policies, replacer, settings.on_error)
    return replacer


def key_fingerprints(settings: ReplacementSettings) -> list[list[str]]:
    """The identity of a run's keys: their locations and fingerprints."""
    return [[str(key), fingerprint(key)] for key in dict.fromkeys(settings.keys())]
