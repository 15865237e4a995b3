"""Run an evaluation: match findings with gold, in one or several processes, and compute the figures."""

from argparse import Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from itertools import chain
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
    """What is counted in parts of the input.

    ``matches``: of each part by its name, one for each config. ``unread``: rows skipped, by reason.
    ``listed``: for each config, what entries of its lists matched.
    """

    matches: dict[str, list[list[Conversation]]]
    unread: Counter[str] = field(default_factory=Counter)
    listed: list[Counter[str]] = field(default_factory=list)

    def merge(self, other: "Matched") -> "Matched":
        """Add what was counted in other parts; returns itself."""
        self.matches.update(other.matches)
        self.unread += other.unread
        for total, more in zip(self.listed, other.listed, strict=True):
            total.update(more)
        return self

    def of_configs(self) -> list[list[Conversation]]:
        """The matches of the whole input for each config, in its order."""
        in_order = (matches for _, matches in sorted(self.matches.items()))
        return [list(chain.from_iterable(of_parts)) for of_parts in zip(*in_order, strict=True)]


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
    match = partial(
        match_part,
        shape=plan.shape,
        configs=chosen,
        labels=labels,
        names=names,
        complete_by_default=arguments.gold_complete,
    )
    size = sum(part.text_bytes for part in plan.parts)
    matched = fold(plan.parts, match, Matched.merge, arguments.workers, size)
    matches, listed = matched.of_configs(), matched.listed
    if not any(one.spans for one in matches[0]):
        raise UserError("--input: no gold spans found; give conversations whose turns have 'spans'")
    settings = Settings(tuple(arguments.beta or (1.0, 2.0)), arguments.bootstrap, arguments.seed)
    summary: dict[str, Any] = {
        "version": version("tacenda"),
        "config_hash": chosen[0].fingerprint,
        "settings": {"betas": settings.betas, "bootstrap": settings.resamples, "seed": settings.seed},
        "inputs": [{"file": names[f.url], "url": redact_url(f.url), "bytes": f.size} for f in files],
        "unread": dict(sorted((+matched.unread).items())),
        **({"lists": lists} if (lists := lists_summary(chosen[0].replacement, listed[0])) else {}),
        **summarise(matches[0], labels, configs[0][0].table, settings, list(dict.fromkeys(arguments.slice))),
    }
    if len(matches) > 1:
        summary["comparison"] = {
            "config_hash": chosen[1].fingerprint,
            **compare(matches[0], matches[1], settings.resamples, settings.seed),
        }
    figures = indented_json(summary)
    if arguments.json and arguments.json != TERMINAL:
        publish_bytes(absolute(arguments.json), figures)
    if arguments.errors:
        lines = (orjson.dumps(error, option=orjson.OPT_APPEND_NEWLINE) for error in errors(matches[0]))
        publish_bytes(absolute(arguments.errors), b"".join(lines), private=True)
    for config, of_lists in zip(chosen, listed, strict=True):
        for note in unused_entries(lists_summary(config.replacement, of_lists)):
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
    configs: Sequence[ChainSettings],
    labels: gold_reading.GoldLabels,
    names: Mapping[str, str],
    complete_by_default: bool,
) -> Matched:
    """Match the findings of each config in a part of the input with its gold; ``names`` are those of files."""
    collected: list[list[Conversation]] = [[] for _ in configs]
    done = Matched({part.name: collected}, Counter(), [Counter() for _ in configs])
    for gold in gold_reading.read_gold(part, shape, labels, complete_by_default=complete_by_default):
        collect_young()
        for rejection in gold.rejections:
            done.unread[rejection.error] += rejection.rows
        done.unread["NoGold"] += sum(not a.is_gold for a in gold.batch.annotations)
        about = [one._replace(file=names[one.file]) for one in gold.about]
        for matched, config, listed in zip(collected, configs, done.listed, strict=True):
            outcome = chain_of(config).run(gold.batch)
            batch, _, _ = in_whole_cells(gold.batch, [[]] * len(gold.batch.texts))
            kept, found, (linked,) = in_whole_cells(outcome.batch, outcome.findings, outcome.entities)
            # Positions are per file, and a batch may contain conversations of several files.
            through = {place: i for i, place in enumerate(zip(kept.origins, kept.positions, strict=True))}
            for i in (i for i, annotation in enumerate(batch.annotations) if annotation.is_gold):
                place = through.get((batch.origins[i], batch.positions[i]))
                own = slice(0) if place is None else kept.own(place)
                findings = None if place is None else found[own]
                matched.append(match_conversation(batch, i, about[i], labels, findings, linked[own]))
            listed.update(outcome.totals.listed)
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
