"""The word lists and templates that training text is made of."""

from functools import lru_cache

from tacenda.transforms.generating.data_folder import DataFolder

DATA = DataFolder(__package__)
document = DATA.document
listed = DATA.listed


@lru_cache(maxsize=1)
def template_files() -> tuple[str, ...]:
    """All template files, sorted: ``templates/<language>/<kind>.yaml``."""
    return DATA.files("templates")
