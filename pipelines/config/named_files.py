"""Read the files that a config names at launch, so that errors in them are reported at once.

Their contents are part of the run's identity, as is the config itself: a run resumed with a changed
dictionary would produce an inconsistent corpus.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import yaml

from tacenda.transforms.detecting.correcting.marks import Entry, matched_nothing, read_entries
from tacenda.transforms.detecting.dictionaries.folding import Folding
from tacenda.transforms.detecting.dictionaries.loading import load, sha256_of
from tacenda.transforms.detecting.inspect_config import WORD_LISTS
from tacenda.transforms.detecting.settings import Exclusion, Hotword, InspectSettings, WordDictionary
from tacenda.transforms.releasing.context_form import read_answers
from tacenda.transforms.replacing.settings import ListFile, ReplacementSettings
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_credentials, redact_url
from tacenda.transforms.storage.files import absolute, read_bytes, read_text
from tacenda.transforms.storage.yaml_text import parse_yaml


def load_answers(name: str) -> dict[str, str]:
    """The answers by question."""
    shown = redact_url(name)
    text = read_text(absolute(name), f"--context {shown}")
    try:
        return read_answers(parse_yaml(text), shown)
    except (yaml.YAMLError, ValueError, RecursionError):
        raise UserError(f"--context {shown}: not YAML; write each answer in quotes") from None


_MOST_LINES = 20  # lines of a list that a message names


def lists_summary(settings: ReplacementSettings, matched: Mapping[str, int]) -> list[dict[str, Any]]:
    """What manifest and summary say of the lists of a run: which entries matched nothing, by their lines.

    Args:
        settings: of the run.
        matched: how many places each entry named (``Totals.listed``).
    """
    told = []
    for number, file in enumerate(settings.lists):
        nothing = matched_nothing(number, file.lines, matched)
        name = redact_url(file.url).rpartition("/")[2]
        told.append({"file": name, "entries": len(file.lines), "matched_nothing": nothing})
    return told


def unused_entries(told: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A line for each list with entries that matched nothing."""
    for one in told:
        if lines := one["matched_nothing"]:
            named = ", ".join(map(str, lines[:_MOST_LINES])) + ", …" * (len(lines) > _MOST_LINES)
            line = "line" if len(lines) == 1 else "lines"
            yield (
                f"{one['file'].rsplit('/', 1)[-1]}: {len(lines):,} of {one['entries']:,} entries matched "
                f"nothing: {line} {named}"
            )


def read_list(file: ListFile) -> list[Entry]:
    """Read the entries of a list."""
    name = redact_url(file.url).rsplit("/", 1)[-1]
    data = read_bytes(file.url)
    if hashlib.sha256(data).hexdigest() != file.sha256:
        raise UserError(f"{name}: was changed since the run was planned; start a new run")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{name}: not UTF-8; save it as UTF-8 text") from None
    return read_entries(text, name)


def redacted(value: Any, key: Any = None) -> Any:
    """Replace whatever may name people in plain data by its size, and remove credentials from URLs."""
    if key in WORD_LISTS:
        return {"words": len(value.get("words", [])) if isinstance(value, dict) else 0}
    if isinstance(value, dict):
        if key == "roles":
            return dict(sorted(Counter(value.values()).items()))
        return {name: redacted(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [redacted(item) for item in value]
    if isinstance(value, str):
        return {"characters": len(value)} if key == "pattern" else redact_credentials(value)
    return value


def config_hash(value: Any) -> str:
    """Sha256 over the canonical JSON of a config, including word lists."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def pin_dictionaries(inspect: InspectSettings) -> InspectSettings:
    """Add the sha256 of each dictionary file to the settings, which every worker then verifies.

    Also compiles the dictionaries, so that workers on this machine find them cached.
    """
    hash_of = cache(sha256_of)

    def pinned(dictionary: WordDictionary, folding: Folding) -> WordDictionary:
        if dictionary.url is not None:
            dictionary = replace(dictionary, sha256=hash_of(dictionary.url))
            load(dictionary, folding)
        return dictionary

    def ruled(rule: Exclusion | Hotword) -> Exclusion | Hotword:
        if not isinstance(rule, Exclusion) or rule.dictionary is None:
            return rule
        return replace(rule, dictionary=pinned(rule.dictionary, Folding.STRICT))

    custom = tuple(
        replace(c, source=pinned(c.source, Folding.LOOSE)) if isinstance(c.source, WordDictionary) else c
        for c in inspect.custom
    )
    rule_sets = tuple(replace(some, rules=tuple(map(ruled, some.rules))) for some in inspect.rule_sets)
    return replace(inspect, custom=custom, rule_sets=rule_sets)


def dictionary_hashes(inspect: InspectSettings) -> dict[str, str]:
    """Sha256 of each pinned dictionary file, by URL."""
    rules = (rule for rule_set in inspect.rule_sets for rule in rule_set.rules)
    used = [
        *(custom.source for custom in inspect.custom),
        *(rule.dictionary for rule in rules if isinstance(rule, Exclusion)),
    ]
    files = [(one.url, one.sha256) for one in used if isinstance(one, WordDictionary)]
    return {url: sha256 for url, sha256 in files if url is not None and sha256 is not None}


def file_hashes(urls: Sequence[str]) -> dict[str, str]:
    """Sha256 of some files, by URL."""
    return {url: hashlib.sha256(read_bytes(url)).hexdigest() for url in urls}
