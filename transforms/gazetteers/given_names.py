"""Given names by the gender of their bearers, read once a process when somebody asks."""

from collections.abc import Mapping

from tacenda.transforms.gazetteers.word_list import GENDERS, rows
from tacenda.transforms.storage.process_cache import built_once


@built_once
def genders() -> Mapping[str, str]:
    """Given names in plain letters (``plain_letters``) to f, m, or n if people of either gender bear them.

    >>> [genders().get(name) for name in ("maria", "mohammed", "robin", "street")]
    ['f', 'm', 'n', None]
    """
    return {name: gender for gender, names in rows(GENDERS) for name in names.split(" ")}
