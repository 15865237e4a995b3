"""Build the chain and the replacer for a run's settings, once a process."""

from dataclasses import replace
from typing import Any

from tacenda.pipelines.chain.chain import TOKENS, Chain
from tacenda.pipelines.chain.detectors import MODEL, asked_where_cut, build_detectors, build_second_look
from tacenda.pipelines.chain.score_chain import ScoreChain
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.config.laboratory import laboratory
from tacenda.pipelines.config.named_files import read_list
from tacenda.transforms.detecting.correcting.eponyms import mark_eponyms
from tacenda.transforms.detecting.correcting.marks import ListMarking
from tacenda.transforms.detecting.rule_sets import MentionRules
from tacenda.transforms.detecting.rules.catalogue import ranks
from tacenda.transforms.detecting.settings import Hotword
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

AnyChain = Chain | ScoreChain
"""Turns a batch into its outcome."""


@built_once_for(4)
def chain_of(settings: ChainSettings) -> AnyChain:
    """The chain, cached per process: rules and dictionaries are too expensive to load for every unit."""
    return build_chain(settings)


def build_chain(settings: ChainSettings) -> AnyChain:
    """Build the chain of a command: ``score`` has no detectors, and ``inspect`` scores nothing."""
    risk, rules, asked = settings.risk, settings.inspect, settings.replacement
    table = risk.table()
    if settings.command == "score":
        return ScoreChain(table, load_reviews(settings.spans), settings.all_reviewed, risk.variant_clustering)
    of_detectors = settings.detectors, rules, settings.cloud_dlp, settings.models
    detectors = build_detectors(*of_detectors)
    inspecting = Chain(
        detectors,
        ranks(),
        markings=[
            *([ListMarking(*map(read_list, asked.lists))] if asked.lists else []),
            *([mark_eponyms] if asked.eponyms else []),
        ],
        languages=settings.languages,
        mention_rules=MentionRules(rules),
        linking=settings.linking,
        own_types=rules.own_info_types(),
        doubts=_doubts(settings),
    )
    if settings.command == "inspect":
        return inspecting
    return replace(
        inspecting,
        table=table,
        second_look=build_second_look(*of_detectors),
        where_cut=asked_where_cut(detectors),
        variant_clustering=risk.variant_clustering,
        drop_over=settings.drop_over,
        # Rules and lists alone find no names that they do not know, which the verdict says anyway.
        swap_rate=settings.swap_rate if MODEL in settings.detectors else 0.0,
        replacer=build_replacer(asked),
        kept=[info_type for info_type, _ in asked.kept],
        leak_check=laboratory(LEAK_CHECK)(asked.hiding.t) if names.HIDDEN in asked.drawn else None,
        reconciler=laboratory(RECONCILE) if settings.linking.reconcile != "none" else None,
        fixed=policies.fixed_values(asked.policies),
        listed=policies.dictionary_words(asked.policies),
    )


def _doubts(settings: ChainSettings) -> dict[str, float]:
    """What models doubt; nothing of the config's own infoTypes and hotwords, or asked for at any likelihood."""
    rules = settings.inspect
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
