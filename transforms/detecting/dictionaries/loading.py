"""Load a dictionary's table: compiled once per machine, mapped once per process."""

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
"""Increment with every change of the table's format or of folding."""


@built_once_for(64)
def load(dictionary: WordDictionary, folding: Folding = Folding.LOOSE) -> TermTable:
    """The table of a dictionary.

    A file is identified by the hash of its content: ``dictionary.sha256``, or computed here. All processes of
    a machine share one compiled table; a machine without it builds the same from the URL.

    Raises:
        UserError: the file cannot be read as text, has no terms, or does not have the expected hash.
    """
    url = dictionary.url
    if url is None:
        return compile_terms([dictionary.words], folding)
    sha256 = dictionary.sha256 or terms_file.sha256(url)

    def build() -> TermTable:
        table = compile_terms(terms_file.blocks_of_lines(url, sha256), folding)
        if not len(table.hashes):
            raise UserError(f"dictionary {url}: has no terms; add one term a line or drop it")
        return table

    return get_or_build(f"terms-{sha256}-{folding.value}-{_rules()}", build)


@built_once
def _rules() -> str:
    """What determines a table besides the file; Python's Unicode version may differ between workers."""
    letters = (files(__package__) / "letters.yaml").read_bytes()
    return fingerprint(str(_FORMAT), unicodedata.unidata_version, letters)
