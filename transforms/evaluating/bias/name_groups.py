"""Lists of given names by group and gender, from which counterfactual variants are made."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, NamedTuple

from yaml import YAMLError

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import absolute, read_bytes
from tacenda.transforms.storage.yaml_text import parse_yaml

GENDERS = ("women", "men")


class Cell(NamedTuple):
    """A group and a gender of it."""

    group: str
    gender: str


@dataclass(frozen=True)
class NameGroups:
    """Names by group and gender: the same number in each cell, and no name in two cells."""

    names: Mapping[Cell, tuple[str, ...]]

    @property
    def cells(self) -> list[Cell]:
        """All groups with their genders, in the order of the file."""
        return list(self.names)

    @property
    def groups(self) -> list[str]:
        """The groups in the order of the file."""
        return list(dict.fromkeys(cell.group for cell in self.names))


_BUILT_IN = {None: "name_groups.yaml", "origins": "origins.yaml"}


def load_name_groups(url: str | None = None) -> NameGroups:
    """Read lists of names; if ``url`` is None, the built-in ones of four groups, for ``origins`` of nineteen.

    Raises:
        UserError: the file does not fit ``name_groups.yaml`` as a pattern, its lists are not all of one length,
            or a name is in two of them.
    """
    if url in _BUILT_IN:
        text = files(__package__).joinpath(_BUILT_IN[url]).read_text("utf-8")
        return check_name_groups(parse_yaml(text), _BUILT_IN[url])
    try:
        document = parse_yaml(read_bytes(absolute(str(url))).decode())
    except (ValueError, YAMLError):
        raise UserError(f"--names {url}: is not YAML in UTF-8") from None
    return check_name_groups(document, f"--names {url}")


def check_name_groups(document: Any, where: str) -> NameGroups:
    """Validate the content of a file of name groups; ``where`` names it in errors.

    Raises:
        UserError: as for :func:`load_name_groups`.
    """
    groups = document.get("groups") if isinstance(document, dict) else None
    if not isinstance(groups, dict) or len(groups) < 2:
        raise UserError(f"{where}: needs 'groups' with two groups or more, each with 'women' and 'men'")
    names: dict[Cell, tuple[str, ...]] = {}
    for group, lists in groups.items():
        for gender in GENDERS:
            listed = lists.get(gender) if isinstance(lists, dict) else None
            if not isinstance(listed, list) or not listed or not all(_is_name(name) for name in listed):
                raise UserError(f"{where}: groups: {group}: {gender}: must be a list of names, a word each")
            names[Cell(str(group), gender)] = tuple(listed)
    sizes = {len(listed) for listed in names.values()}
    if len(sizes) > 1:
        raise UserError(
            f"{where}: the lists have between {min(sizes)} and {max(sizes)} names; give all the same number, "
            "so that groups can be compared"
        )
    cell_of: dict[str, Cell] = {}
    for cell, listed in names.items():
        for name in listed:
            other = cell_of.setdefault(name.casefold(), cell)
            if other is not cell:
                raise UserError(
                    f"{where}: a name is in both {other.group}: {other.gender} and {cell.group}: "
                    f"{cell.gender}; leave it in one"
                )
        if len({name.casefold() for name in listed}) < len(listed):
            raise UserError(f"{where}: groups: {cell.group}: {cell.gender}: has a name twice")
    return NameGroups(names)


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and name.isalpha()
