"""Run an evaluation: match findings with gold, in one or several processes, and compute the figures."""

import operator
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from typing import Any

import orjson

from tacenda.pipelines.chain.build import chain_of, check_detectors
from tacenda.pipelines.command_line.terminal import TERMINAL, answer, indented_json, remark, say
from tacenda.pipelines.config.document import load_config
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.config.named_files import lists_summary, unused_entries
from tacenda.pipelines.executors.children import fold
from tacenda.pipelines.startup.run_config import RunConfig, run_config
from tacenda.pipelines.work.gc_pause import collect_young, gc_paused
from tacenda.transforms.evaluating import gold_reading
from tacenda.transforms.evaluating.matches import Conversation, match_conversation
from tacenda.transforms.evaluating.metrics import compare
from tacenda.transforms.evaluating.summary import Settings, errors, summarise
from tacenda.transforms.evaluating.table import render
from tacenda.transforms.replacing.settings import ReplacementSettings
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.schema.work_unit import Part
from tacenda.transforms.shapes.json_cells import in_whole_cells
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.files import absolute
from tacenda.transforms.storage.locating import SUFFIXES
from tacenda.transforms.storage.publishing import publish_bytes


def searching(
    url: str | None, arguments: Namespace, option: str = "--config"
) -> tuple[RunConfig, ChainSettings]:
    """A config, and the chain that finds what it asks for, in any language."""
    config = run_config("inspect", load_config(url, option), arguments)
    check_detectors(config.detecting)
    # Only the replacement settings that affect findings.
    lists = ReplacementSettings(lists=config.replacement.lists, eponyms=config.replacement.eponyms)
    settings = replace(config, replacement=lists).chain("inspect")
    linking = replace(config.linking, reconcile="none")
    return config, replace(settings, languages=None, linking=linking)


@dataclass
class Matched:
    """What matches in parts of the input, rows skipped by reason, and what entries of lists matched."""

    matches: list[Conversation] = field(default_factory=list)
    unread: Counter[str] = field(default_factory=Counter)
    listed: Counter[str] = field(default_factory=Counter)

    def __iadd__(self, other: "Matched") -> "Matched":
        self.matches += other.matches
        self.unread += other.unread
        self.listed.update(other.listed)
        return self


def evaluate(arguments: Namespace) -> int:
    """Evaluate as the validated arguments say and print the tables; returns the exit code."""
    if not all(arguments.input):
        raise UserError("--input: the path is empty; write . for the current folder")
    configs = [searching(arguments.config, arguments)]
    if arguments.compare_config is not None:
        configs.append(searching(arguments.compare_config, arguments, "--compare-config"))
    chosen = [settings for _, settings in configs]
    plan = gold_reading.plan_gold([absolute(url) for url in arguments.input], arguments.unit_bytes)
    files = [file for file in plan.files if file.size]
    names = _names([file.url for file in files])
    labels = gold_reading.gold_labels().counting(arguments.count)
    size = sum(part.text_bytes for part in plan.parts)
    match = partial(
        match_part, shape=plan.shape, labels=labels, names=names, complete=arguments.gold_complete
    )
    several = [
        fold(plan.parts, partial(match, config=config), operator.iadd, arguments.workers, size)
        for config in chosen
    ]
    matches = several[0].matches
    if not any(one.spans for one in matches):
        raise UserError("--input: no gold spans found; give conversations whose turns have 'spans'")
    settings = Settings(tuple(arguments.beta or (1.0, 2.0)), arguments.bootstrap, arguments.seed)
    summary: dict[str, Any] = {
        "version": version("tacenda"),
        "config_hash": chosen[0].fingerprint,
        "settings": {"betas": settings.betas, "bootstrap": settings.resamples, "seed": settings.seed},
        "inputs": [{"file": names[f.url], "url": redact_url(f.url), "bytes": f.size} for f in files],
        "unread": dict(sorted((+several[0].unread).items())),
        **({"lists": lists} if (lists := lists_summary(chosen[0].replacement, several[0].listed)) else {}),
        **summarise(matches, labels, configs[0][0].table, settings, list(dict.fromkeys(arguments.slice))),
    }
    if len(several) > 1:
        summary["comparison"] = {
            "config_hash": chosen[1].fingerprint,
            **compare(matches, several[1].matches, settings.resamples, settings.seed),
        }
    figures = indented_json(summary)
    if arguments.json and arguments.json != TERMINAL:
        publish_bytes(absolute(arguments.json), figures)
    if arguments.errors:
        lines = (orjson.dumps(error, option=orjson.OPT_APPEND_NEWLINE) for error in errors(matches))
        publish_bytes(absolute(arguments.errors), b"".join(lines), private=True)
    for config, matched in zip(chosen, several, strict=True):
        for note in unused_entries(lists_summary(config.replacement, matched.listed)):
            remark(note)
    if arguments.json == TERMINAL:
        answer(figures.decode())
    else:
        say(render(summary, arguments.per_label))
    return 0


@gc_paused()
def match_part(
    part: Part,
    shape: Shape,
    labels: gold_reading.GoldLabels,
    names: Mapping[str, str],
    complete: bool,
    config: ChainSettings,
) -> Matched:
    """Match the findings in a part of the input with its gold, which is ``complete`` where it does not say."""
    done = Matched()
    for gold in gold_reading.read_gold(part, shape, complete_by_default=complete):
        collect_young()
        for rejection in gold.rejections:
            done.unread[rejection.error] += rejection.rows
        done.unread["NoGold"] += sum(not a.is_gold for a in gold.batch.annotations)
        outcome = chain_of(config).run(gold.batch)
        batch, _, _ = in_whole_cells(gold.batch, [[]] * len(gold.batch.texts))
        kept, found, (linked,) = in_whole_cells(outcome.batch, outcome.findings, outcome.entities)
        # Positions are per file, and a batch may contain conversations of several files.
        through = {place: i for i, place in enumerate(zip(kept.origins, kept.positions, strict=True))}
        for i in (i for i, annotation in enumerate(batch.annotations) if annotation.is_gold):
            place = through.get((batch.origins[i], batch.positions[i]))
            own = slice(0) if place is None else kept.own(place)
            findings = None if place is None else found[own]
            about = gold.about[i]._replace(file=names[gold.about[i].file])
            done.matches.append(match_conversation(batch, i, about, labels, findings, linked[own]))
        done.listed.update(outcome.totals.listed)
    return done


def _names(urls: Sequence[str]) -> dict[str, str]:
    """Name of each file in the tables: its name without suffix if that is unique, otherwise its URL."""
    short = {}
    for url in dict.fromkeys(urls):
        name = url.rpartition("/")[2]
        suffix = max((s for s in SUFFIXES if name.lower().endswith(s)), key=len, default="")
        short[url] = name[: len(name) - len(suffix)]
    often = Counter(short.values())
    return {u: n if often[n] == 1 and redact_url(u) == u else redact_url(u) for u, n in short.items()}
