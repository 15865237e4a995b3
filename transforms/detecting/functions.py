"""Functions of the user's own that find an infoType: ``module:function``, from a text to (start, end) pairs."""

import hashlib
import importlib
import os
import sys
from collections.abc import Callable, Iterable
from operator import index
from pathlib import Path
from typing import Any

import numpy as np

from tacenda.transforms.detecting.candidates import Places
from tacenda.transforms.detecting.settings import Function
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.column import TextColumn

Find = Callable[[str], Iterable[tuple[int, int]]]
"""Returns where something lies in a text: code points, half-open, in any order."""


def pinned(name: str) -> Function:
    """The function with a name, and the hash of the file that it is in.

    Raises:
        UserError: it cannot be imported, is no function, or is in no file.
    """
    return Function(name, _imported(name)[1])


@built_once
def load(function: Function) -> Find:
    """Import a function.

    Raises:
        UserError: as :func:`pinned`; or its file is not that of the run.
    """
    find, sha256 = _imported(function.name)
    if sha256 != function.sha256:
        raise UserError(f"{function.name}: its file was changed since the run was planned; start a new run")
    return find


def _imported(name: str) -> tuple[Find, str]:
    module_name, colon, attribute = name.partition(":")
    if not (module_name and colon and attribute):
        raise UserError(f"{name}: write it as module:function")
    if not {"", os.getcwd()} & {*sys.path}:
        sys.path.append(os.getcwd())
    try:
        module: Any = importlib.import_module(module_name)
    except Exception as error:  # noqa: BLE001 - whatever a user's module does; its message may quote data
        raise UserError(
            f"{name}: cannot be imported ({type(error).__name__}); it is looked for in the current folder, in "
            "PYTHONPATH and among installed packages, on each worker"
        ) from None
    find = getattr(module, attribute, None)
    file = getattr(module, "__file__", None)
    if not callable(find) or file is None:
        raise UserError(f"{name}: is no function of a file; correct the name")
    return find, hashlib.sha256(Path(file).read_bytes()).hexdigest()


def places_of(find: Find, column: TextColumn) -> tuple[Places, Places, Places]:
    """The cell, start and end of what a function finds in a column.

    Raises ``RecordError`` ``WrongPlace`` if it returns anything but ranges of the text.
    """
    found: list[tuple[int, int, int]] = []
    for cell, text in enumerate(column.texts):
        for place in find(text) if text else ():
            try:
                start, end = map(index, place)
            except (TypeError, ValueError):
                raise RecordError("WrongPlace") from None
            if not 0 <= start < end <= len(text):
                raise RecordError("WrongPlace")
            found.append((cell, start, end))
    columns = np.array(sorted(found), dtype=np.int64).reshape(-1, 3)
    return columns[:, 0], columns[:, 1], columns[:, 2]
