"""Read a DLP DeidentifyConfig into policies; reject what cannot be honoured on conversations.

The config is parsed with Google's own message types, so a Cloud template means the same here, and a misspelt
field is an error in both.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

from tacenda.transforms.detecting.message_fields import parsed
from tacenda.transforms.replacing import ciphers, transformations
from tacenda.transforms.replacing.keys import CRYPTO_KEY, DerivedKey, GivenKey, Key, KeyReference, KmsKey
from tacenda.transforms.replacing.policies import OnError, Policy
from tacenda.transforms.replacing.transformations import Bucket, Transformation
from tacenda.transforms.schema.errors import UserError

_MOST_DAYS = 365_250


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Locations of the keys that a config refers to by the name of a transient or KMS key.

    Transient keys without an entry are derived from the ``secret`` of the run: unlike at Google, a restarted
    run must find the same key, on any number of workers.
    """

    named: Mapping[str, KeyReference] = field(default_factory=dict)
    secret: KeyReference | None = None


@dataclass(frozen=True, slots=True)
class Deidentification:
    """A parsed DeidentifyConfig; ``notes`` has a line for each setting with no effect or a different one."""

    policies: tuple[Policy, ...] = ()
    on_error: OnError = "quarantine"
    notes: tuple[str, ...] = ()


def parse_deidentify_config(
    config: Mapping[str, Any], ring: KeyRing, where: str = "deidentify"
) -> Deidentification:
    """Check a DeidentifyConfig and turn it into policies; ``where`` is its location, for messages.

    Raises:
        UserError: one line that names the field, what is wrong, and how to mend it.
    """
    if not config:
        return Deidentification()
    message = parsed(config, "DeidentifyConfig", where)
    kind = message.WhichOneof("transformation")
    if kind not in (None, "info_type_transformations"):
        raise UserError(
            f"{where}.{kind}: conversations are text; write the transformations under info_type_transformations"
        )
    notes: list[str] = []
    on_error: OnError = "quarantine"
    if message.transformation_error_handling.WhichOneof("mode") == "leave_untransformed":
        on_error = "token"
        notes.append(
            f"{where}.transformation_error_handling.leave_untransformed: such values get a token instead of "
            "staying readable"
        )
    policies = []
    for i, one in enumerate(message.info_type_transformations.transformations):
        place = f"{where}.info_type_transformations.transformations[{i}]"
        for k, info_type in enumerate(one.info_types):
            given = (known.name for known, _ in info_type.ListFields() if known.name != "name")
            notes += (f"{place}.info_types[{k}].{name} has no effect: findings carry none" for name in given)
        place += ".primitive_transformation"
        transformation = _primitive(one.primitive_transformation, ring, place, notes)
        policies.append(Policy(tuple(info_type.name for info_type in one.info_types), transformation))
    return Deidentification(tuple(policies), on_error, tuple(notes))


def _primitive(message: Any, ring: KeyRing, place: str, notes: list[str]) -> Transformation | None:
    kind = message.WhichOneof("transformation")
    if kind is None:
        raise UserError(f"{place}: is missing; name a transformation, as {{redact_config: {{}}}}")
    if kind == "replace_with_info_type_config":
        return None
    return _READERS[kind](_Settings(getattr(message, kind), ring, f"{place}.{kind}", notes))


class _Settings(NamedTuple):
    """The message of one transformation and its place in the config; ``notes`` collects what has no effect."""

    message: Any
    ring: KeyRing
    place: str
    notes: list[str]

    def check(self, is_valid: bool, what: str) -> None:
        """Refuse settings that are not valid: ``what`` is a field, a colon, and how to mend it."""
        if not is_valid:
            raise UserError(f"{self.place}{what}")

    def key(self) -> Key:
        """The key of a cipher, a hash or a shift."""
        key, ring = self.message.crypto_key, self.ring
        kind, kms = key.WhichOneof("source"), key.kms_wrapped
        name = {"transient": key.transient.name, "kms_wrapped": kms.crypto_key_name}.get(kind)
        if kind == "unwrapped":
            return GivenKey(key.unwrapped.key)
        if name is not None and name in ring.named:
            return ring.named[name]
        wrong = ": is missing; give one, as {transient: {name: NAME}} with replacement.keys"
        if kind == "transient":
            if ring.secret is not None:
                return DerivedKey(ring.secret, f"transient {name}")
            wrong = (
                ".transient: a restarted run needs the same key; give its location, as replacement.keys: "
                "{NAME: env:…}, or give replacement.secret"
            )
        elif kind == "kms_wrapped":
            if CRYPTO_KEY.fullmatch(kms.crypto_key_name) and kms.wrapped_key:
                return KmsKey(kms.crypto_key_name, kms.wrapped_key)
            wrong = (
                ".kms_wrapped: needs a wrapped_key, and as crypto_key_name projects/P/locations/L/keyRings/R/"
                "cryptoKeys/K or a name with an entry under replacement.keys"
            )
        raise UserError(f"{self.place}.crypto_key{wrong}")

    def cipher(
        self, function: Callable[..., ciphers.Cipher], what: str, weakness: str, *settings: str
    ) -> Transformation:
        """A cipher by the key and the mark of the config."""
        name = self.message.surrogate_info_type.name
        if not name:
            self.notes.append(
                f"{self.place}: without surrogate_info_type, 'corpus reidentify' cannot find its values"
            )
        if self.message.context.name:
            self.notes.append(f"{self.place}.context has no effect in text, as at Google")
        what = f"encrypted by {what}: reversible with the key"
        how = function, name or None, *settings
        return Transformation(ciphers.encrypted, how, what, weakness, self.key(), True)


def _replacement(of: _Settings) -> Transformation:
    return Transformation(
        transformations.fixed, (_text_of(of.message.new_value, f"{of.place}.new_value"),), "a fixed value"
    )


def _dictionary(of: _Settings) -> Transformation:
    words = tuple(dict.fromkeys(of.message.word_list.words))
    of.check(bool(words), ".word_list.words: is empty; give words to choose from")
    return Transformation(transformations.word_of, words, f"a word from a list of {len(words):,}")


def _mask(of: _Settings) -> Transformation:
    sign, number = of.message.masking_character or "*", of.message.number_to_mask
    of.check(len(sign) == 1, ".masking_character: must be one character")
    ignored = ""
    for i, one in enumerate(of.message.characters_to_ignore):
        common = type(one).CommonCharsToIgnore.Name(one.common_characters_to_ignore)
        known = transformations.COMMON_CHARACTERS.get(common, "")
        is_given = one.WhichOneof("characters") == "characters_to_skip"
        of.check(
            is_given or bool(known), f".characters_to_ignore[{i}]: names no characters; give some, or drop it"
        )
        ignored += one.characters_to_skip if is_given else known
    weak = [f"all but {-number}" if number < 0 else f"only {number}"] if number else []
    if any(map(str.isalnum, ignored)):
        weak.append("not the letters and digits to be ignored")
    told = f"{' and '.join(weak)} of its characters are masked" if weak else None
    what = told or f"each character replaced by {sign}"
    settings = sign, number, of.message.reverse_order, ignored
    return Transformation(transformations.masked, settings, what, told or "its length stays readable")


def _hash(of: _Settings) -> Transformation:
    weakness = "one value has one hash in all conversations, and anyone with the key can find it by trying"
    return Transformation(ciphers.hashed, (), "a keyed hash", weakness, of.key(), pseudonymised=True)


def _deterministic(of: _Settings) -> Transformation:
    weakness = "one value has one surrogate in all conversations, and anyone with the key can read it"
    return of.cipher(ciphers.deterministic, "AES-SIV", weakness)


def _format_preserving(of: _Settings) -> Transformation:
    message = of.message
    kind = message.WhichOneof("alphabet")
    if kind == "radix":
        of.check(
            2 <= message.radix <= len(ciphers.NATIVE), f".radix: must be from 2 to {len(ciphers.NATIVE)}"
        )
        alphabet = ciphers.NATIVE[: message.radix]
    elif kind == "custom_alphabet":
        given = {*message.custom_alphabet}
        of.check(
            2 <= len(given) == len(message.custom_alphabet) and given <= {*ciphers.NATIVE},
            f".custom_alphabet: must be 2 to {len(ciphers.NATIVE)} different characters of printable ASCII",
        )
        # Google ignores the order of the characters, so it must not matter here either.
        alphabet = "".join(sorted(given, key=ciphers.NATIVE.index))
    else:
        common = type(message).FfxCommonNativeAlphabet.Name(message.common_alphabet)
        of.check(
            common in ciphers.COMMON_ALPHABETS,
            ": needs an alphabet; give common_alphabet, custom_alphabet or radix",
        )
        alphabet = ciphers.COMMON_ALPHABETS[common]
    what = "FF1, of the same length and alphabet"
    weakness = "its length stays readable, one value has one surrogate everywhere, and the key reveals it"
    return of.cipher(ciphers.format_preserving, what, weakness, alphabet)


def _date_shift(of: _Settings) -> Transformation:
    lower, upper = of.message.lower_bound_days, of.message.upper_bound_days
    of.check(
        -_MOST_DAYS <= lower <= upper <= _MOST_DAYS,
        f": lower_bound_days must not be above upper_bound_days, and both within {_MOST_DAYS:,}",
    )
    secret, has_key = of.ring.secret, of.message.HasField("crypto_key")
    of.check(
        has_key or secret is not None,
        ": needs a crypto_key, or replacement.secret: anyone could undo a shift without a secret",
    )
    key = DerivedKey(secret, "date shift") if secret and not has_key else of.key()
    what = f"dates moved by {lower} to {upper} days, alike within a conversation"
    weakness = "intervals between dates, and times of day, stay readable"
    return Transformation(transformations.date_shifted, (lower, upper), what, weakness, key)


def _time_part(of: _Settings) -> Transformation:
    of.check(bool(of.message.part_to_extract), ".part_to_extract: is missing; give one, as YEAR")
    part = type(of.message).TimePart.Name(of.message.part_to_extract)
    said = f"the {part.lower().replace('_', ' ')}"
    what, weakness = f"only {said} of a date", f"{said} of dates stays readable"
    return Transformation(transformations.time_part, (part,), what, weakness)


_MOST = 1e15
"""The largest bound: of larger numbers, hundredths are not exact."""

_RANGES = "the range of values stays readable"


def _fixed_size_bucketing(of: _Settings) -> Transformation:
    lower = _number_of(of.message.lower_bound, f"{of.place}.lower_bound")
    upper = _number_of(of.message.upper_bound, f"{of.place}.upper_bound")
    size = of.message.bucket_size
    of.check(
        -_MOST <= lower <= upper <= _MOST,
        ": lower_bound and upper_bound must be within 1e15, the lower one first",
    )
    of.check(0.01 <= size <= _MOST, ".bucket_size: must be 0.01 or more")
    what = f"ranges of {size:g} from {lower:g} to {upper:g}"
    return Transformation(transformations.bucketed_alike, (lower, upper, size), what, _RANGES)


def _bucketing(of: _Settings) -> Transformation:
    buckets = []
    for i, one in enumerate(of.message.buckets):
        here = f".buckets[{i}]"
        # The underscore avoids Python's built-in names.
        least = _number_of(one.min_, f"{of.place}{here}.min") if one.HasField("min_") else -inf
        most = _number_of(one.max_, f"{of.place}{here}.max") if one.HasField("max_") else inf
        of.check(least < most, f"{here}: min must be below max")
        value = _text_of(one.replacement_value, f"{of.place}{here}.replacement_value")
        buckets.append(Bucket(least, most, value))
    of.check(bool(buckets), ".buckets: is empty; give at least one")
    for (i, low), (k, high) in combinations(enumerate(buckets), 2):
        overlap = low.least < high.most and high.least < low.most
        of.check(not overlap, f": buckets[{i}] and buckets[{k}] overlap; change their bounds")
    return Transformation(transformations.bucketed, tuple(buckets), f"one of {len(buckets)} ranges", _RANGES)


_READERS: Mapping[str, Callable[[_Settings], Transformation]] = {
    "replace_config": _replacement,
    "redact_config": lambda of: Transformation(transformations.fixed, ("",), "removed"),
    "replace_dictionary_config": _dictionary,
    "character_mask_config": _mask,
    "crypto_hash_config": _hash,
    "crypto_deterministic_config": _deterministic,
    "crypto_replace_ffx_fpe_config": _format_preserving,
    "date_shift_config": _date_shift,
    "time_part_config": _time_part,
    "fixed_size_bucketing_config": _fixed_size_bucketing,
    "bucketing_config": _bucketing,
}


def _text_of(value: Any, place: str) -> str:
    """A Value as text, as it is written in JSON."""
    kind = value.WhichOneof("type")
    if kind is None:
        raise UserError(f"{place}: is missing; give a value, as {{string_value: …}}")
    if kind == "float_value":
        return f"{value.float_value:.15g}"
    if kind == "boolean_value":
        return "true" if value.boolean_value else "false"
    if kind in ("string_value", "integer_value"):
        return str(getattr(value, kind))
    raise UserError(f"{place}: must be a text, a number or a boolean")


def _number_of(value: Any, place: str) -> float:
    kind = value.WhichOneof("type")
    if kind not in ("integer_value", "float_value"):
        raise UserError(f"{place}: must be a number, as {{integer_value: 10}}")
    return float(getattr(value, kind))
