"""Load a dictionary's table: compiled once a machine, mapped once a process."""

import unicodedata
from importlib.resources import files

from tacenda.transforms.detecting.dictionaries import terms_file
from tacenda.transforms.detecting.dictionaries.compiling import compile_terms
from tacenda.transforms.detecting.dictionaries.folding import Folding
from tacenda.transforms.detecting.dictionaries.table import TermTable
from tacenda.transforms.detecting.settings import WordDictionary
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.machine_cache import fingerprint, get_or_build
from tacenda.transforms.storage.process_cache import built_once, built_once_for

_FORMAT = 2
"""To be raised with every change of what a table holds or how terms are folded."""


@built_once_for(64)
def load(dictionary: WordDictionary, folding: Folding = Folding.LOOSE) -> TermTable:
    """The terms of a dictionary.

    A file is known by the hash of its content: ``dictionary.sha256``, or else it is worked out here. All
    processes of a machine share one compiled table, and a machine that has none builds the same from the URL.

    Raises:
        UserError: the file cannot be read as text, holds no term, or is not the one that has the hash.
    """
    url = dictionary.url
    if url is None:
        return compile_terms([dictionary.words], folding)
    sha256 = dictionary.sha256 or terms_file.sha256(url)

    def build() -> TermTable:
        table = compile_terms(terms_file.blocks_of_lines(url, sha256), folding)
        if not len(table.hashes):
            raise UserError(f"dictionary {url}: holds no term; add one term a line or drop it")
        return table

    return get_or_build(f"terms-{sha256}-{folding.value}-{_rules()}", build)


@built_once
def _rules() -> str:
    """What else than the file makes a table what it is; Python's Unicode may differ between workers."""
    letters = (files(__package__) / "letters.yaml").read_bytes()
    return fingerprint(str(_FORMAT), unicodedata.unidata_version, letters)
