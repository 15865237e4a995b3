"""Tables of cases: ``test_x.yaml`` beside ``test_x.py`` has those of each test, by its name."""

from functools import cache
from pathlib import Path

import pytest
import yaml


def cases(file, test):
    """The rows of a test of ``file``, for ``pytest.mark.parametrize``."""
    return _tables(Path(file).with_suffix(".yaml"))[test]


def tabled(*names):
    """Run the test for each row that stands under its own name."""
    return lambda test: pytest.mark.parametrize(
        names if len(names) > 1 else names[0], cases(test.__code__.co_filename, test.__name__)
    )(test)


@cache
def _tables(path):
    return yaml.safe_load(path.read_text("utf-8"))
