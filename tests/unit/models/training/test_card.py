import json
import shutil
from pathlib import Path

import pytest

from tacenda.models.token_classifier.package import CURVE, read_package
from tacenda.models.training.card import CARD, card, write_card

EMBEDDED = Path(__file__).parents[4] / "models" / "embedded"
TINY = Path(__file__).parents[3] / "golden" / "tiny_model"


def test_the_embedded_card_is_what_lies_beside_it():
    assert card(EMBEDDED) == (EMBEDDED / CARD).read_text("utf-8")


def test_the_embedded_card_fits_on_two_screens():
    lines = (EMBEDDED / CARD).read_text("utf-8").splitlines()
    assert sum(1 + len(line) // 122 for line in lines) <= 100


@pytest.mark.parametrize("part", ["train", "dev"])
def test_what_the_card_leaves_out_is_in_the_data(part):
    told = json.loads((EMBEDDED / CURVE).read_text("utf-8"))
    assert all(len(one["sha256"]) == 64 and one["spans"] for one in told["data"][part])
    assert set(told["figures"]["by_corpus"]) == {one["file"].split(".")[0] for one in told["data"]["dev"]}


def test_the_weakest_corpora_are_named():
    told = json.loads((EMBEDDED / CURVE).read_text("utf-8"))["figures"]["by_corpus"]
    weakest = min((one["recall"], name) for name, one in told.items() if one["support"] >= 20)
    assert f"corpora by recall: {weakest[1]} {weakest[0]:.3f}, " in card(EMBEDDED)


def test_a_package_is_the_same_with_another_card(tmp_path):
    folder = Path(shutil.copytree(TINY, tmp_path / "package"))
    before = read_package(folder).fingerprint
    write_card(folder)
    assert (folder / CARD).read_text("utf-8").startswith(f"# {read_package(folder).name} ")
    assert read_package(folder).fingerprint == before
