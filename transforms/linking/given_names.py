"""Given names: whether their bearers are women or men, by the shipped list and the nicknames."""

from tacenda.transforms.gazetteers.word_list import genders
from tacenda.transforms.linking.nicknames import formal_names
from tacenda.transforms.storage.process_cache import remembered


@remembered
def gender_of(given: str) -> str:
    """``f`` or ``m`` for a folded given name that hardly anybody of the other gender bears; otherwise empty.

    A short form has a gender only if all the names that it stands for have the same.

    >>> gender_of("maria"), gender_of("robin"), gender_of("alex"), gender_of("m")
    ('f', '', '', '')
    """
    known = {genders().get(name, "n") for name in (given, *formal_names(given))}
    return known.pop().rstrip("n") if len(known) == 1 else ""
