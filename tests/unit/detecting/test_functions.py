"""Functions of the user's own: found as Python finds modules, checked, and never trusted with places."""

import pickle

import pytest

from tacenda.transforms.detecting.functions import load, pinned
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import CustomInfoType, InspectSettings
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tests.cases import tabled

MODULE = """
import re
import numpy as np

def words(text):
    found = [found.span() for found in re.finditer("word[0-9]", text)][::-1]
    return np.array(found, dtype=np.int64).reshape(-1, 2)

def reversed_places(text):
    return [(5, 1)]

def behind_the_end(text):
    return [(0, len(text) + 1)]

def no_pair(text):
    return [3]

def halves(text):
    return [(0, 0.5)]

NUMBER = 4
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    """The name of a module that is in the current folder."""
    monkeypatch.chdir(tmp_path)
    name = f"own_{tmp_path.name}".replace("-", "_")
    (tmp_path / f"{name}.py").write_text(MODULE)
    return name


def detector(name):
    custom = CustomInfoType("OWN_WORD", Likelihood.LIKELY, pinned(name))
    return RulesDetector(InspectSettings((), custom=(custom,)))


def test_a_function_finds_in_code_points_and_in_order(module):
    copied = pickle.loads(pickle.dumps(detector(f"{module}:words")))
    texts = ["", "😀 word1 and word2", "nothing", "[OWN_WORD_1] word3"]
    found = copied.find(TextColumn(texts))
    assert [[texts[i][f.start : f.end] for f in cell] for i, cell in enumerate(found)] == [
        [],
        ["word1", "word2"],
        [],
        ["word3"],
    ]
    assert {f.info_type for cell in found for f in cell} == {"OWN_WORD"}


@pytest.mark.parametrize("name", ["reversed_places", "behind_the_end", "no_pair", "halves"])
def test_a_place_outside_of_the_text_is_an_error(module, name):
    with pytest.raises(RecordError, match="WrongPlace"):
        detector(f"{module}:{name}").find(TextColumn(["some text"]))


@tabled("name", "message")
def test_what_is_no_function_is_refused(module, name, message):
    with pytest.raises(UserError, match=message):
        pinned(name.format(module))


def test_a_changed_file_is_refused_before_any_text_is_read(module, tmp_path):
    function = pinned(f"{module}:words")
    (tmp_path / f"{module}.py").write_text(MODULE + "# changed\n")
    with pytest.raises(UserError, match="its file was changed since the run was planned"):
        load(function)
