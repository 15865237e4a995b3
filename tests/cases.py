"""Tables of cases: ``test_x.yaml`` beside ``test_x.py`` has those of each test, by its name."""

from functools import cache
from pathlib import Path

import yaml


def cases(file, test):
    """The rows of a test of ``file``, for ``pytest.mark.parametrize``."""
    return _tables(Path(file).with_suffix(".yaml"))[test]


@cache
def _tables(path):
    return yaml.safe_load(path.read_text("utf-8"))
