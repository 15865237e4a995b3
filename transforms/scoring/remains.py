"""What is left in one conversation, as digests: its indirect identifiers together, and values that may recur.

Equal values have equal digests, in any spelling that counts as one entity (``linking.normalising``). Digests
are hashed again with a key before they are written (``keyed``): without it, a list of names would do to find
out which of them are left.
"""

import hashlib
from collections.abc import Iterable
from importlib.resources import files
from typing import NamedTuple

from tacenda.transforms.linking.normalising import normalised_value
from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.scoring.score_table import Weight
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

DIGEST_BYTES = 8


class Remains(NamedTuple):
    """``combination``: of all indirect identifiers; None if there are none. ``links``: of values, sorted."""

    combination: bytes | None = None
    links: tuple[bytes, ...] = ()

    def keyed(self, key: bytes) -> "Remains":
        """The digests to write; equal ones stay equal under one key."""
        if self == NOTHING:
            return self
        combination = None if self.combination is None else _digest(self.combination, key)
        links = tuple(sorted(_digest(link, key) for link in self.links))
        return Remains(combination, links)

    def to_text(self) -> tuple[str | None, list[str]]:
        """The digests in hexadecimal."""
        combination = None if self.combination is None else self.combination.hex()
        return combination, [one.hex() for one in self.links]

    @classmethod
    def from_text(cls, combination: str | None, links: Iterable[str]) -> "Remains":
        """The inverse of ``to_text``."""
        digest = None if combination is None else bytes.fromhex(combination)
        return cls(digest, tuple(map(bytes.fromhex, links)))


NOTHING = Remains()


def remains_of(weighed: Iterable[tuple[Residual, Weight]]) -> Remains:
    """What is left, given the readable findings of a conversation that add points, and their weights.

    Direct identifiers that are entirely readable, and the tags of ``linking_tags.yaml``, may recur in another
    conversation of the same person. All that is not a whole direct identifier belongs to the combination.
    """
    combined: set[str] = set()
    links: set[bytes] = set()
    for residual, weight in weighed:
        value = normalised_value(weight.infotype, residual.value)
        if not value or not weight.score:
            continue
        named = f"{weight.tag.name}\n{value}"
        if weight.whole and (weight.direct or weight.tag.name in _linking_tags()):
            links.add(_digest(named.encode("utf-8", "surrogatepass")))
        if not weight.direct:
            combined.add(named)
    if not combined and not links:
        return NOTHING
    together = "\n\n".join(sorted(combined)).encode("utf-8", "surrogatepass")
    return Remains(_digest(together) if combined else None, tuple(sorted(links)))


def _digest(data: bytes, key: bytes = b"") -> bytes:
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES, key=hashlib.sha256(key).digest()).digest()


@built_once
def _linking_tags() -> frozenset[str]:
    text = files(__package__).joinpath("linking_tags.yaml").read_text(encoding="utf-8")
    return frozenset(parse_yaml(text))
