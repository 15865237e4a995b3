"""Build the replacer of a run from its settings."""

from collections.abc import Callable, Mapping

from tacenda.pipelines.config.laboratory import laboratory
from tacenda.transforms.replacing.keys import fingerprint
from tacenda.transforms.replacing.policies import PolicyReplacer, ReplacerByInfoType
from tacenda.transforms.replacing.replacement import Replacer
from tacenda.transforms.replacing.settings import (
    HIDDEN,
    MASKED_LM,
    RANDOM,
    SURROGATES,
    TOKENS,
    ReplacementSettings,
)
from tacenda.transforms.replacing.tokens import CorpusTokenReplacer, TokenReplacer
from tacenda.transforms.schema.errors import UserError


def _tokens(settings: ReplacementSettings) -> Replacer:
    return CorpusTokenReplacer(_secret(settings)) if settings.scope == "corpus" else TokenReplacer()


def _surrogates(settings: ReplacementSettings) -> Replacer:
    # Imported where asked for: its lists of names are not small.
    from tacenda.transforms.replacing.surrogates.replacer import SurrogateReplacer

    return SurrogateReplacer(_secret(settings), settings.surrogates)


def _hidden(settings: ReplacementSettings) -> Replacer:
    replacer: Replacer = laboratory(HIDDEN)(_secret(settings), settings.hiding, _surrogates(settings))
    return replacer


def _masked_lm(settings: ReplacementSettings) -> Replacer:
    if settings.masked_lm is None:
        raise UserError("replacement.masked_lm.path: is missing; name the folder of a masked language model")
    asked = {info_type for info_type, name in settings.info_types if name == MASKED_LM}
    replacer: Replacer = laboratory(MASKED_LM)(
        _secret(settings), settings.masked_lm, None if settings.default == MASKED_LM else asked
    )
    return replacer


def _random(settings: ReplacementSettings) -> Replacer:
    replacer: Replacer = laboratory(RANDOM)(_secret(settings))
    return replacer


def _secret(settings: ReplacementSettings) -> bytes:
    if settings.secret is None:
        raise UserError("replacement.secret: is missing; drawn values need one, as env:NAME or file:PATH")
    return settings.secret.read()


REPLACERS: Mapping[str, Callable[[ReplacementSettings], Replacer]] = {
    TOKENS: _tokens,
    SURROGATES: _surrogates,
    HIDDEN: _hidden,
    MASKED_LM: _masked_lm,
    RANDOM: _random,
}
"""By name in the config: functions that build each replacer on a worker, where keys are read."""


def build_replacer(settings: ReplacementSettings) -> Replacer | None:
    """The replacer for some settings; None if everything is replaced by tokens.

    Raises:
        UserError: a key cannot be read.
    """
    plain = settings.default == TOKENS and settings.scope == "conversation"
    replacer = None if plain else REPLACERS[settings.default](settings)
    if settings.info_types:
        built = {name: REPLACERS[name](settings) for _, name in settings.info_types}
        by_info_type = {info_type: built[name] for info_type, name in settings.info_types}
        replacer = ReplacerByInfoType(by_info_type, replacer or _tokens(settings))
    if any(policy.transformation is not None for policy in settings.policies):
        replacer = PolicyReplacer(settings.policies, replacer or _tokens(settings), settings.on_error)
    return replacer


def key_fingerprints(settings: ReplacementSettings) -> list[list[str]]:
    """The identity of a run's keys: their locations and fingerprints.

    Raises:
        UserError: a key cannot be read.
    """
    return [[str(key), fingerprint(key)] for key in dict.fromkeys(settings.keys())]
