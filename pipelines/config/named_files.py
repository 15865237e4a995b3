"""Files that a config names: read once before a worker starts, so that a mistake in them is told at once.

What is in them belongs to the run's identity as much as the config itself: a run that goes on with another
dictionary under the same name would write half a corpus by each.
"""

import hashlib
from collections.abc import Iterator, Sequence

from transforms.detecting import dictionaries
from transforms.detecting.settings import Exclusion, InspectSettings, WordDictionary
from transforms.storage.files import read_bytes


def dictionary_hashes(inspect: InspectSettings) -> dict[str, str]:
    """Sha256 of each dictionary file, by URL.

    Raises:
        UserError: a file that cannot be read, is not UTF-8 text or holds no term.
    """
    hashes: dict[str, str] = {}
    for dictionary in _dictionaries(inspect):
        if dictionary.url is not None and dictionary.url not in hashes:
            dictionaries.load(dictionary)
            hashes.update(file_hashes([dictionary.url]))
    return dict(sorted(hashes.items()))


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
