"""The report: one HTML file of a few pages for the people who decide on the release of a corpus.

It follows from ``manifest.json`` and ``statistics.json`` alone, so that anybody can make it again. It needs no
network, script or font. Every value is escaped, and characters that could change how other text is displayed
are shown as escape sequences. Its words are in ``report.html.j2``.
"""

import marshal
import platform
from collections.abc import Mapping, MutableMapping
from importlib.metadata import version
from importlib.resources import files
from typing import Any

import yaml
from jinja2 import BaseLoader, Environment, Template, UndefinedError

from tacenda.transforms.releasing.context_form import questions
from tacenda.transforms.releasing.criterion import PEOPLE, listed, readers_in_words
from tacenda.transforms.releasing.number_format import decimal, one_in, percent, whole
from tacenda.transforms.releasing.run import readers_of
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.storage.machine_cache import contents, fingerprint, get_or_build
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.html_page import page_environment

MOST_ROWS = 25
"""Most rows of a table: the rest is in the files that it is made from."""

_LONGEST = 80
"""Most characters of an id, a context or a URL."""

_HEADINGS = {
    "released": "Released",
    "no_review": "Released without a review",
    "unreviewed": "Not yet read by people",
    "held": "Held",
    "scored": "Scored",
}
_DETECTORS = {
    "rules": "rules",
    "gazetteer": "lists of names and places",
    "cloud_dlp": "Google Cloud DLP",
    "model": "a model",
}


def render(manifest: Mapping[str, Any], figures: Mapping[str, Any]) -> str:
    """The report as one HTML document, from the contents of ``manifest.json`` and ``statistics.json``.

    Raises:
        ValueError: they lack something that those of a run have.
    """
    verdict, totals, sources = manifest["verdict"], manifest["totals"], figures["sources"]
    kind = verdict["state"]
    if verdict["evidence"] == "no_review":
        kind = "no_review"
    source = next((one for one in PEOPLE if sources.get(one, {}).get("total", {}).get("count")), "model")
    not_looked_for = manifest.get("not_looked_for", {})
    answers = manifest.get("context", {})
    values = {
        "manifest": manifest,
        "figures": figures,
        "verdict": verdict,
        "decides": verdict["figures"],
        "totals": totals,
        "fields": manifest.get("fields", {}),
        "not_looked_for": not_looked_for,
        "categories": not_looked_for.get("categories", ()),
        "kind": kind,
        "heading": _HEADINGS[kind],
        "detectors": [_DETECTORS.get(name, name) for name in manifest["config"]["detectors"]["names"]],
        "readers": readers_in_words(readers_of(manifest)),
        "source": source,
        "suspected": sources.get("model", {}).get("total", {}),
        "contexts": _contexts(sources.get(source), float(verdict.get("threshold", 5))),
        "most_rows": MOST_ROWS,
        "replaced": [
            (name, count, totals["entities"].get(name, 0))
            for name, count in sorted(totals["findings"].items(), key=lambda item: (-item[1], item[0]))
        ],
        "missed": _missed(totals["missed"]),
        "worst": manifest["worst"].get(source, []),
        "identifiability": manifest["identifiability"].get(source),
        "languages": figures.get("languages", {}),
        "answers": [(one["question"], answers[one["id"]]) for one in questions() if answers.get(one["id"])],
        "config": yaml.safe_dump(manifest["config"], sort_keys=True, allow_unicode=True),
    }
    try:
        page: str = _environment().get_template("report.html.j2").render(values)
    except UndefinedError:
        raise ValueError("manifest and statistics are not those of a run") from None
    return page


def _contexts(told: Mapping[str, Any] | None, threshold: float) -> list[dict[str, Any]]:
    """A row for each context and the total: those first in which most is left."""
    if told is None:
        return []
    groups = [*told["contexts"].items(), (None, told["total"])]
    *rows, total = (
        {
            "name": name,
            "group": group,
            "width": min(100.0, 100 * (group["mu_plus_sigma"] or 0) / (2 * threshold)),
            "suspected": group["count"] - group["histogram"].get("0", 0),
        }
        for name, group in groups
    )
    rows = [row for row in rows if row["group"]["count"]]
    rows.sort(key=lambda row: (-row["group"]["direct_identifiers"], -(row["group"]["mu_plus_sigma"] or 0)))
    return [*rows[:MOST_ROWS], total] if len(rows) > 1 else rows


def _missed(counts: Mapping[str, int]) -> list[tuple[str, int, int]]:
    """Tags with the entities that are wholly and partly readable."""
    tags = dict.fromkeys(key.removesuffix("_PARTIAL") for key in counts)
    rows = [(tag, counts.get(tag, 0), counts.get(f"{tag}_PARTIAL", 0)) for tag in tags]
    return sorted(rows, key=lambda row: (-row[1] - row[2], row[0]))


@built_once
def _environment() -> Environment:
    environment = page_environment(Compiled())
    environment.filters.update(whole=whole, decimal=decimal, percent=percent, commas="{:,}".format, cut=_cut)
    environment.globals.update(counted=counted, listed=listed, one_in=one_in)
    return environment


class Compiled(BaseLoader):
    """The templates beside this file, compiled once per machine, which takes longer than rendering them."""

    def load(
        self, environment: Environment, name: str, globals: MutableMapping[str, Any] | None = None
    ) -> Template:
        source = (files("tacenda.transforms.releasing") / name).read_text("utf-8")
        made_with = version("jinja2"), version("markupsafe"), platform.python_version(), contents(__package__)
        code = get_or_build(
            f"template-{fingerprint(name, source, *made_with)}",
            lambda: marshal.dumps(environment.compile(source, name, name)),
        )
        return Template.from_code(environment, marshal.loads(code), globals or {})  # noqa: S302 - our own


def _cut(text: str) -> str:
    """The first characters of a possibly long text."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
