"""Read the files that a config names at launch, so that errors in them are reported at once.

Their contents are part of the run's identity, as is the config itself: a run resumed with a changed
dictionary would produce an inconsistent corpus.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tacenda.transforms.detecting.dictionaries import terms_file
from tacenda.transforms.detecting.dictionaries.folding import Folding
from tacenda.transforms.detecting.dictionaries.loading import load
from tacenda.transforms.detecting.settings import Exclusion, InspectSettings, RuleSet, WordDictionary
from tacenda.transforms.storage.files import read_bytes


def pin_dictionaries(inspect: InspectSettings) -> InspectSettings:
    """Add the sha256 of each dictionary file to the settings, which every worker then verifies.

    Also compiles the dictionaries, so that workers on this machine find them cached.

    Raises:
        UserError: a file cannot be read, is not UTF-8 text or has no terms.
    """
    known: dict[str, str] = {}

    def pinned(dictionary: WordDictionary, folding: Folding) -> WordDictionary:
        if dictionary.url is not None:
            if dictionary.url not in known:
                known[dictionary.url] = terms_file.sha256(dictionary.url)
            dictionary = replace(dictionary, sha256=known[dictionary.url])
            load(dictionary, folding)
        return dictionary

    def with_pinned(rule_set: RuleSet) -> RuleSet:
        return replace(
            rule_set,
            rules=tuple(
                replace(rule, dictionary=pinned(rule.dictionary, Folding.STRICT))
                if isinstance(rule, Exclusion) and rule.dictionary is not None
                else rule
                for rule in rule_set.rules
            ),
        )

    custom = tuple(
        replace(c, source=pinned(c.source, Folding.LOOSE)) if isinstance(c.source, WordDictionary) else c
        for c in inspect.custom
    )
    return replace(inspect, custom=custom, rule_sets=tuple(map(with_pinned, inspect.rule_sets)))


def dictionary_urls(inspect: InspectSettings) -> list[str]:
    """Distinct URLs of the dictionary files in settings."""
    return sorted({d.url for d in _dictionaries(inspect) if d.url is not None})


def dictionary_hashes(inspect: InspectSettings) -> dict[str, str]:
    """Sha256 of each pinned dictionary file, by URL."""
    pinned = {d.url: d.sha256 for d in _dictionaries(inspect) if d.url is not None and d.sha256 is not None}
    return dict(sorted(pinned.items()))


def file_hashes(urls: Sequence[str]) -> dict[str, str]:
    """Sha256 of some files, by URL."""
    return {url: hashlib.sha256(read_bytes(url)).hexdigest() for url in urls}


def _dictionaries(inspect: InspectSettings) -> Iterator[WordDictionary]:
    for custom in inspect.custom:
        if isinstance(custom.source, WordDictionary):
            yield custom.source
    for rule_set in inspect.rule_sets:
        for rule in rule_set.rules:
            if isinstance(rule, Exclusion) and rule.dictionary is not None:
                yield rule.dictionary
