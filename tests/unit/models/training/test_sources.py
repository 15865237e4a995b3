"""What the embedded package says it was made from, compared with the list of what it may be made from."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tacenda.models.token_classifier.loading import embedded_path
from tacenda.models.token_classifier.package import CURVE
from tacenda.models.training.corpora import LabelScheme
from tacenda.models.training.sources import USES, sources

OURS = {"everyday", "synthetic"}


def recorded() -> Iterator[tuple[str, str]]:
    """Use and name of every file that the package records."""
    curve = json.loads((embedded_path() / CURVE).read_text("utf-8"))
    parts: dict[str, list[Any]] = {
        "training": curve["data"]["train"],
        "thresholds": curve["data"]["dev"],
        "calibration": curve["calibration"]["files"],
    }
    for use, part in parts.items():
        assert part, use
        yield from ((use, one["file"]) for one in part)


def test_the_embedded_package_was_made_from_listed_files_alone() -> None:
    listed = sources()
    assert [(u, name) for u, name in recorded() if name not in listed or u not in listed[name].uses] == []


def test_each_file_has_a_licence_and_known_uses() -> None:
    for name, source in sources().items():
        assert source.licence, name
        assert source.uses, name
        assert source.uses <= set(USES), name


@pytest.mark.parametrize("word", ["NC", "evaluation only", "development only"])
def test_evaluation_only_files_are_not_trained_on(word: str) -> None:
    kept = [source.uses for source in sources().values() if word in source.licence]
    assert kept
    assert set(kept) == {frozenset({"measuring"})}


def test_evaluation_files_were_not_trained_on() -> None:
    learning = {"training", "calibration"}
    assert [name for name, source in sources().items() if ".dev." in name and source.uses & learning] == []


def test_each_corpus_for_training_has_described_labels() -> None:
    scheme = LabelScheme.load()
    corpora = {name.split(".")[0] for name, source in sources().items() if "training" in source.uses}
    # xsid-de is part of the corpus xsid, as its records say; propn-de is of ud, and a wheel of everyday.
    plain = {name for name in corpora if name not in scheme.corpora}
    known = {
        "xsid",
        "europeana",
        "nerkor",
        "ronec",
        "propn",
        "django",
        "wagtail",
        "django_oscar",
        "django_allauth",
    }
    assert {name.partition("-")[0] for name in plain} <= known


def test_the_notice_names_each_licence_of_what_was_trained_on() -> None:
    notice = (embedded_path() / "NOTICE.md").read_text("utf-8")
    used = {name for use, name in recorded() if name.split(".")[0] not in OURS}
    assert [name for name in used if sources()[name].licence.split(";")[0].split(",")[0] not in notice] == []
