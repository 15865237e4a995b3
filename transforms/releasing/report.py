"""The report: one HTML file of a few pages for the people who decide on the release of a corpus.

It follows from ``manifest.json`` and ``statistics.json`` alone, so that anybody can make it again. It needs no
network, script or font. Every value is escaped, and characters that could change how other text is displayed
are shown as escape sequences.
"""

import marshal
import platform
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from importlib.metadata import version
from importlib.resources import files
from typing import Any

import yaml
from jinja2 import BaseLoader, Environment, Template

from tacenda.transforms.releasing import number_format
from tacenda.transforms.releasing.comparison import compare, snapshot
from tacenda.transforms.releasing.context_form import questions
from tacenda.transforms.releasing.number_format import one_in, percent
from tacenda.transforms.releasing.run import readers_of
from tacenda.transforms.releasing.verdict import PEOPLE, readers_in_words
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.storage.machine_cache import contents, fingerprint, get_or_build_anyway
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.html_page import page_environment

MOST_ROWS = 25
"""Most rows of a table: the rest is in the files that it is made from."""

_MOST_REASONS = 6
_LONGEST = 80
"""Most characters of an id, a context or a URL."""

_HEADINGS = {
    "released": "Released",
    "by_hand": "Released by hand",
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
    """The report as one HTML document, to be encoded as UTF-8.

    Args:
        manifest: the content of ``manifest.json``.
        figures: the content of ``statistics.json``.
    """
    verdict, totals = manifest["verdict"], manifest["totals"]
    kind = _kind(verdict)
    source = next((one for one in PEOPLE if _read_by(figures, one)), "model")
    page: str = (
        _environment()
        .get_template("report.html.j2")
        .render(
            manifest=manifest,
            verdict=verdict,
            totals=totals,
            kind=kind,
            heading=_HEADINGS[kind],
            lead=_lead(manifest, kind),
            done=list(_done(manifest)),
            left=list(_left(manifest, figures)),
            standing=_standing(manifest),
            readable=list(_readable(manifest)),
            not_looked_at=list(_not_looked_at(manifest, figures)),
            reasons=verdict["held_by"] or verdict.get("lacks", []),
            most_reasons=_MOST_REASONS,
            readers=readers_in_words(readers_of(manifest, totals["readers"])),
            source=source,
            contexts=_contexts(figures, source, float(verdict.get("threshold", 5))),
            swaps=_swaps(figures.get("swap_test")),
            replaced=_most(totals["findings"], totals["entities"]),
            missed=_missed(totals["missed"]),
            worst=manifest["worst"].get(source, []),
            identifiability=manifest["identifiability"].get(source),
            hipaa=[one for one in manifest.get("not_looked_for", {}).get("categories", ()) if one["section"]],
            languages=list(figures.get("languages", {}).get("by_language", {}).values())[:MOST_ROWS],
            answers=[
                (one.question, manifest["context"][one.id])
                for one in questions()
                if manifest.get("context", {}).get(one.id)
            ],
            changes=_changes(manifest, figures),
            config=yaml.safe_dump(manifest["config"], sort_keys=True, allow_unicode=True),
        )
    )
    return page


def _kind(verdict: Mapping[str, Any]) -> str:
    if verdict["state"] == "released" and verdict["evidence"] in ("by_hand", "no_review"):
        return str(verdict["evidence"])
    return str(verdict["state"])


def _lead(manifest: Mapping[str, Any], kind: str) -> str:
    """The verdict in one sentence, without a term that needs explaining."""
    verdict = manifest["verdict"]
    told = verdict["figures"]
    if kind == "released":
        who = "People read" if told["source"] == "human" else "Complete annotations cover"
        of = "all " if told["whole"] else f"{told['read']:,} of "
        how = "" if told["whole"] else ", drawn at random"
        return (
            f"{who} {of}{told['conversations']:,} conversations{how}, and what is left is "
            "within "
            "the limits below."
        )
    if kind == "by_hand":
        return f"A person released this corpus and gave this reason: {verdict['released_anyway']}"
    if kind == "no_review":
        return f"Nobody has to read this corpus, says the config, and gives this reason: {verdict['because']}"
    if kind == "unreviewed":
        return "Nobody has read this corpus yet, so nobody knows how much is left in it. It is not released."
    if kind == "scored":
        return "These conversations were scored as they were marked. No corpus is released by it."
    return "This corpus is not released. Do not train on it, and do not pass it on."


def _done(manifest: Mapping[str, Any]) -> Iterator[str]:
    """What was done, in sentences."""
    totals, rows = manifest["totals"], manifest["rows"]
    talks = counted(totals["conversations"], "conversation")
    if manifest["command"] == "anonymize":
        names = [_DETECTORS.get(name, name) for name in manifest["config"]["detectors"]["names"]]
        yield (
            f"{talks} with {counted(totals['turns'], 'turn')} were searched by {_listed(names)}. "
            f"{counted(sum(totals['findings'].values()), 'place')} with personal data of "
            f"{counted(len(totals['findings']), 'kind')} were replaced."
        )
    else:
        yield f"{talks} with {counted(totals['turns'], 'turn')} were scored by their marks."
    told = [
        f"{counted(rows.get(name, 0), 'row')} {what}"
        for name, what in (
            ("quarantined", "could not be processed and are not in the corpus"),
            ("dropped", "were left out for their scores, by request"),
            ("not_read", "not read by request"),
            ("erased", "were erased later"),
        )
        if rows.get(name)
    ]
    yield (
        f"Of {counted(rows['in'], 'row')} of input, {rows['out']:,} came out"
        + (f"; {'; '.join(told)}." if told else ", none was lost.")
    )


def _left(manifest: Mapping[str, Any], figures: Mapping[str, Any]) -> Iterator[str]:
    """What is left, as counsel would say it."""
    verdict = manifest["verdict"]
    told = verdict["figures"]
    if told is None:
        yield "How much is left is not known before people read a sample, or annotations say it."
        suspected = figures["sources"].get("model", {}).get("total", {})
        if count := suspected.get("count", 0):
            some = count - suspected["histogram"].get("0", 0)
            yield (
                f"In {some:,} of {count:,} conversations the detectors suspect that something may be left. "
                "Most "
                "suspicions are wrong, and what detectors cannot see they do not suspect: the list says "
                "what to read "
                "first, not how much is left."
            )
        return
    who = "conversations that people read" if told["source"] == "human" else "annotated conversations"
    named, direct = told["naming_somebody"], told["direct_identifiers"]
    yield (
        f"Of {told['read']:,} {who}, {_some(named['found'], told['read'])} show a name or a part of one, and "
        f"{_some(direct['found'], told['read'])} show something that identifies somebody by itself, such as "
        "a full "
        "name, an address or a number (a direct identifier)."
    )
    if not told["whole"]:
        yield (
            f"With 95 % confidence, a direct identifier is readable in at most {percent(direct['at_most'])} "
            "of all "
            f"{told['conversations']:,} conversations, and anybody is named in at most "
            f"{percent(named['at_most'])}. "
            "That more is left cannot be excluded beyond that."
        )
    if told.get("planted"):
        yield (
            f"Of {told['planted']:,} leaks that were planted to test the readers they marked "
            f"{told['caught']:,}; the "
            "figures allow for what they overlook."
        )


def _some(number: int, of: int) -> str:
    if not number:
        return "none"
    return f"{number:,} ({one_in(number, of)})" if number > 1 else "1"


def _standing(manifest: Mapping[str, Any]) -> str:
    """Anonymised or pseudonymised, and by which reading."""
    if manifest["command"] != "anonymize":
        return "The conversations were scored, not changed."
    if manifest.get("pseudonymised"):
        return (
            "Pseudonymised: whoever has a key, a secret or a dictionary can undo or repeat part of the "
            "replacements. "
            "For them the corpus is personal data (GDPR, Article 4(5))."
        )
    return (
        "No key undoes the replacements. Whether the result is anonymous is a question of all means "
        "reasonably likely "
        "to be used to identify somebody (GDPR, recital 26): of what is left, below, and of who receives it "
        "and what "
        "else they know. This report answers the first part only."
    )


def _readable(manifest: Mapping[str, Any]) -> Iterator[str]:
    """What stays readable by request or by default."""
    for info_type, reason in sorted(manifest["config"].get("replacement", {}).get("keep", {}).items()):
        yield f"{info_type}, by request: {reason}"
    if reason := manifest["config"].get("output", {}).get("keep_ids"):
        yield f"ids of conversations, by request: {reason}"
    fields = manifest.get("fields", {})
    for name, reason in sorted(fields.get("opaque", {}).items()):
        yield f"the field {name}, which nothing inspected: {reason}"
    told = manifest.get("not_looked_for", {})
    names = [one["name"] for one in told.get("categories", ()) if one["looked_for"] == "no"]
    if names:
        yield f"what was not looked for by default or by the config: {_listed(list(dict.fromkeys(names)))}"
    if kinds := [one["tag"] for one in told.get("kinds", ())]:
        yield f"kinds with a score that no detector looked for: {', '.join(kinds)}"


def _not_looked_at(manifest: Mapping[str, Any], figures: Mapping[str, Any]) -> Iterator[str]:
    """What the figures do not cover."""
    totals = manifest["totals"]
    languages = figures.get("languages", {})
    if uncovered := languages.get("conversations_not_covered", 0):
        have = counted(uncovered, "conversation has", "conversations have")
        yield f"{have} text in a language that no detector covers."
    if short := languages.get("conversations_undecided", 0):
        have = counted(min(short, totals["conversations"]), "conversation has", "conversations have")
        yield f"{have} too few words to tell the language."
    for what, one in (figures.get("skipping") or {}).items():
        if one["left_out"]:
            yield (
                f"A model skipped {one['left_out']:,} of {one['all']:,} {what} in which it expected "
                "nothing; the "
                "other detectors did not."
            )
    if told := manifest.get("hidden_in_plain_sight"):
        yield (
            f"Names are hidden among surrogates in {told['conversations']:,} conversations; a replaced name "
            "stands "
            f"out in {told['name_shown']:,}, and a word that may be a name in {told['name_suspected']:,}."
        )
        if told["look_at"]:
            yield f"Conversations to look at for such names: {', '.join(told['look_at'])}."
    for one in manifest.get("lists", ()):
        if unused := len(one["matched_nothing"]):
            yield f"A list of words: {unused:,} of {one['entries']:,} entries matched nothing."
    if vain := manifest.get("not_looked_for", {}).get("in_vain"):
        yield f"Asked for, but no active detector can find it: {', '.join(vain)}."
    if dropped := manifest.get("fields", {}).get("dropped"):
        yield f"Fields left out of the corpus: {', '.join(dropped)}."
    if unscored := totals["unscored"]:
        yield f"Readable places of kinds that add nothing to a score: {', '.join(sorted(unscored))}."


def _contexts(figures: Mapping[str, Any], source: str, threshold: float) -> list[dict[str, Any]]:
    """A row for each context and the total: those first in which most is left."""
    told = figures["sources"].get(source)
    if told is None:
        return []
    rows = [
        {
            "name": name,
            "group": group,
            "width": min(100.0, 100 * (group["mu_plus_sigma"] or 0) / (2 * threshold)),
            "suspected": group["count"] - group["histogram"].get("0", 0),
        }
        for name, group in told["contexts"].items()
        if group["count"]
    ]
    rows.sort(key=lambda row: (-row["group"]["direct_identifiers"], -(row["group"]["mu_plus_sigma"] or 0)))
    total = told["total"]
    if len(rows) > 1:
        width = min(100.0, 100 * (total["mu_plus_sigma"] or 0) / (2 * threshold))
        suspected = total["count"] - total["histogram"].get("0", 0)
        rows = [*rows[:MOST_ROWS], {"name": None, "group": total, "width": width, "suspected": suspected}]
    return rows


def _swaps(told: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The rows of the swap test, those with the lowest share first."""
    return [] if told is None else list(told["groups"])[:MOST_ROWS]


def _most(findings: Mapping[str, int], entities: Mapping[str, int]) -> list[tuple[str, int, int]]:
    rows = sorted(findings.items(), key=lambda item: (-item[1], item[0]))
    return [(name, count, entities.get(name, 0)) for name, count in rows]


def _missed(counts: Mapping[str, int]) -> list[tuple[str, int, int]]:
    """Tags with the entities that are wholly and partly readable."""
    tags = dict.fromkeys(key.removesuffix("_PARTIAL") for key in counts)
    rows = [(tag, counts.get(tag, 0), counts.get(f"{tag}_PARTIAL", 0)) for tag in tags]
    return sorted(rows, key=lambda row: (-row[1] - row[2], row[0]))


def _changes(manifest: Mapping[str, Any], figures: Mapping[str, Any]) -> Sequence[Any]:
    told = manifest.get("compared_with")
    if told is None:
        return ()
    changes = compare(told["earlier"], snapshot(manifest, figures), told["config"])
    return [one for one in changes if one.rows]


def _read_by(figures: Mapping[str, Any], source: str) -> bool:
    return bool(figures["sources"].get(source, {}).get("total", {}).get("count"))


def _listed(names: Sequence[str]) -> str:
    *others, last = names or ["nothing"]
    return f"{', '.join(others)}{' and ' if others else ''}{last}"


@built_once
def _environment() -> Environment:
    environment = page_environment(_Compiled())
    filters: dict[str, Callable[..., Any]] = {
        "whole": number_format.whole,
        "decimal": number_format.decimal,
        "percent": number_format.percent,
        "cut": _cut,
    }
    environment.filters.update(filters)
    return environment


class _Compiled(BaseLoader):
    """The templates beside this file, compiled once per machine, which takes longer than rendering them."""

    def load(
        self, environment: Environment, name: str, globals: MutableMapping[str, Any] | None = None
    ) -> Template:
        source = (files("tacenda.transforms.releasing") / name).read_text("utf-8")
        made_with = version("jinja2"), version("markupsafe"), platform.python_version(), contents(__package__)
        code = get_or_build_anyway(
            f"template-{fingerprint(name, source, *made_with)}",
            lambda: marshal.dumps(environment.compile(source, name, name)),
        )
        return Template.from_code(environment, marshal.loads(code), globals or {})  # noqa: S302 - our own


def _cut(text: str) -> str:
    """The first characters of a possibly long text."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
