"""Turn the manifest and statistics of an output folder into the data of the report.

The report uses nothing else, so that it can be regenerated from the folder (``tacenda verify``).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, cast

import yaml

from tacenda.pipelines.chain.detectors import CLOUD_DLP, GAZETTEER, MODEL, RULES
from tacenda.pipelines.config.markings import in_vain
from tacenda.pipelines.output.prediction import prediction
from tacenda.transforms.language.coverage import LanguageSettings, language_statistics, undecided
from tacenda.transforms.releasing import report
from tacenda.transforms.releasing.comparison import compare, snapshot
from tacenda.transforms.releasing.context_form import questions
from tacenda.transforms.releasing.criterion import Failure
from tacenda.transforms.releasing.judging import deciding_sources, readers_in_words
from tacenda.transforms.releasing.number_format import percent
from tacenda.transforms.releasing.verdict import Ground
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.scoring.combined import Estimate
from tacenda.transforms.scoring.intervals import exact_interval
from tacenda.transforms.scoring.sampling import sampling_statistics
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.scoring.statistics import GroupStatistics, Statistics
from tacenda.transforms.scoring.tag import Tag, Unscored
from tacenda.transforms.scoring.worst import worst_from_json

_IN_WORDS = {RULES: "rules", GAZETTEER: "lists of names and places", CLOUD_DLP: "Google Cloud DLP"}


_MOST_INPUTS, _MOST_LABELS = 3, 5
"""Limits on the first page."""

_OF_IDENTIFIABILITY = (
    *(
        "scored",
        "direct",
        "indirect",
        "clean",
        "combinations_exact",
        "least_k",
        "average_risk",
        "maximum_risk",
    ),
    *("values", "values_exact", "values_that_link", "occurrences_linked", "most_linked_by_one"),
)

_PREDICTED = ("mean", "std", "p95", "share_at_or_over_threshold", "direct_identifier_share")

_OF_SAMPLES = ("all", "left_out", "sampled", "findings_in_sampled", "share_missed")


def report_data(
    manifest: Mapping[str, Any],
    statistics: Statistics,
    failures: Iterable[Failure] = (),
) -> report.ReportData:
    """Assemble the report's data on a run."""
    risk, totals = manifest["config"]["risk"], totals_of(manifest)
    table = ScoreTable.load(risk["preset"], risk["overrides"], risk["labels"])
    return report.ReportData(
        verdict=_verdict(manifest, statistics, tuple(failures)),
        sources=tuple(
            report.SourceStatistics(
                cast(report.Source, source),
                tuple(_row(context, group) for context, group in figures.contexts.items()),
                _row("", figures.total),
            )
            for source, figures in statistics.sources.items()
        ),
        tags=_tags(totals, table),
        rows=report.RowBalance(
            totals.rows_in,
            totals.rows_out,
            totals.rows_quarantined,
            rows_dropped=totals.rows_dropped,
            rows_valid=totals.rows_valid if "written" in manifest else None,
            quarantine=tuple(
                report.QuarantineCount(stage, error, rows)
                for (stage, _, error), rows in (
                    (key.partition("/"), rows) for key, rows in sorted(totals.quarantined.items())
                )
            ),
            rows_not_read=totals.rows_not_read,
            rows_erased=totals.rows_erased,
        ),
        corpus=report.CorpusSize(
            manifest["units"]["rows"],
            totals.conversations,
            totals.turns,
            totals.characters,
            manifest["shape"],
        ),
        versions=report.Versions(
            manifest["tacenda"],
            manifest["config_hash"],
            manifest["score_table"]["version"],
            manifest["score_table"]["preset"],
            _detectors(manifest["config"]["detectors"]),
        ),
        config_yaml=yaml.safe_dump(manifest["config"], sort_keys=True, allow_unicode=True),
        unscored_labels=tuple(
            report.UnscoredLabel(label, places, _why_unscored(label, table))
            for label, places in totals.unscored.items()
        ),
        ddof=statistics.ddof,
        left_out=tuple(
            report.LeftOut(
                what=cast(Any, what),
                **{name: figures[name] for name in _OF_SAMPLES},
            )
            for what, figures in (sampling_statistics(totals.sampling) or {}).items()
        ),
        run=_run(manifest, totals),
        worst=_worst(manifest, statistics),
        not_looked_at=(*not_looked_at(manifest, totals, statistics), *_not_understood(manifest, totals)),
        languages=_languages(manifest, totals),
        fields=_fields(manifest),
        red_team=_red_team(manifest.get("red_team")),
        comparison=_comparison(manifest, statistics),
        identifiability=_identifiability(manifest, totals, statistics),
        linkability=_linkability(manifest.get("linkability")),
        hipaa=tuple(_by_category(manifest, totals, table)),
        context=tuple(
            report.ContextAnswer(*one, manifest.get("context", {}).get(one.id)) for one in questions()
        ),
        estimate=tuple(_estimate(manifest.get("estimate"))),
        prediction=_prediction(prediction(manifest, totals)),
    )


def _estimate(told: Mapping[str, Any] | None) -> Iterator[tuple[str, Estimate]]:
    """The estimate by context, unless there is only one, and in total."""
    if told is None:
        return
    contexts = told["contexts"] if len(told["contexts"]) > 1 else {}
    for context, one in [*contexts.items(), ("", told["total"])]:
        yield context, Estimate.from_json(one)


def _identifiability(
    manifest: Mapping[str, Any], totals: Totals, statistics: Statistics
) -> report.Identifiability | None:
    """What is left to single out and to link, by the leading source."""
    source = _leading(statistics)
    told = manifest["identifiability"].get(source)
    if told is None:
        return None
    classes = tuple(
        report.ClassSize(one["from"], one["to"], one["combinations"], one["conversations"])
        for one in told["classes"]
    )
    # With a sample of the combinations, the number of unique ones is an estimate, which rounding may raise.
    unique = min(classes[0].conversations, told["scored"])
    return report.Identifiability(
        source=source,
        **{name: told[name] for name in _OF_IDENTIFIABILITY},
        direct_interval=exact_interval(told["direct"], told["scored"]),
        unique=unique,
        unique_interval=exact_interval(unique, told["scored"]),
        classes=classes,
        conversations=totals.conversations,
        identified=totals.identified if manifest["command"] == "anonymize" else None,
        tokens_link=manifest["config"].get("replacement", {}).get("scope") == "corpus",
        population=_in_population(told, manifest["config"]["risk"]["population"]),
    )


def _linkability(told: Mapping[str, Any] | None) -> report.Linkability | None:
    if told is None:
        return None
    names = ("compared", "texts", "joined", "share", "by_chance", "is_sample")
    speakers = None if told["speakers"] is None else tuple(told["speakers"])
    interval = tuple(told["interval"])
    return report.Linkability(told["by"], speakers, interval=interval, **{name: told[name] for name in names})


def _in_population(
    told: Mapping[str, Any], population: Mapping[str, Any] | None
) -> report.InPopulation | None:
    """What is left compared with a population; None if the config has none."""
    if population is None:
        return None
    found = told.get("population", {"average_risk": told["direct"] / told["scored"]})
    without = told["scored"] - told["direct"]
    small = found.get("small", 0)
    return report.InPopulation(
        population["people"],
        without,
        found.get("with_values", 0),
        found.get("unique", 0.0),
        small,
        exact_interval(small, without),
        found["average_risk"],
    )


def _by_category(
    manifest: Mapping[str, Any], totals: Totals, table: ScoreTable
) -> Iterator[report.CategoryCounts]:
    """Each category with a section of its own in a law; none if nothing says what was looked for."""
    missed = _missed(totals.missed)
    for told in manifest.get("not_looked_for", {}).get("categories", ()):
        if not told["section"]:
            continue
        tags = {tag.name for name in told["by"] if (tag := _tag(name, table)) is not None}
        left = [missed.get(f"{tag}{own}", (0, 0)) for tag in tags for own in ("", "_SPEAKER")]
        yield report.CategoryCounts(
            told["section"],
            told["name"],
            told["looked_for"],
            tuple(told["by"]),
            sum(totals.findings.get(name, 0) for name in told["by"]),
            sum(whole for whole, _ in left),
            sum(partial for _, partial in left),
        )


def _comparison(manifest: Mapping[str, Any], statistics: Statistics) -> report.Comparison | None:
    told = manifest.get("compared_with")
    if told is None:
        return None
    now = snapshot(manifest, statistics.to_json())
    return report.Comparison(
        told["folder"],
        told["manifest_sha256"],
        told["statistics_sha256"],
        compare(told["earlier"], now, told["config"]),
    )


def _prediction(told: Mapping[str, Any] | None) -> report.Prediction | None:
    """What suspicions predict by context, unless there is only one, and in total."""
    if told is None:
        return None
    if "refused" in told:
        return report.Prediction(refused=told["refused"])
    contexts = told["contexts"] if len(told["contexts"]) > 1 else {}
    return report.Prediction(
        tuple(
            (
                context,
                report.Predicted(
                    one["count"],
                    *((one[name], *one[f"{name}_interval_95"]) for name in _PREDICTED),
                ),
            )
            for context, one in [*contexts.items(), ("", told["total"])]
        ),
        tuple(
            report.MissedByBoth(
                kind,
                one["seen_by_both"],
                one["by_the_first_alone"],
                one["by_the_second_alone"],
                one["missed_by_both"],
                tuple(one["missed_by_both_interval_95"]),
                tuple(one["odds_ratio"]),
                one["missed_by_both_at_most"],
                one["points_each"],
            )
            for kind, one in told["total"]["both_looks_miss"].items()
        ),
    )


def _red_team(told: Mapping[str, Any] | None) -> report.RedTeam | None:
    if told is None:
        return None
    names = ("nothing_found", "personal_data_left", "somebody_identified")
    low_to_high = {name: tuple(told[name]["interval_95"]) for name in names}
    return report.RedTeam(
        told["conversations"],
        readers_in_words(told["members"]),
        *(
            report.Counted(told[name]["count"], told[name]["share"], low_to_high[name], told[name]["at_most"])
            for name in names
        ),
    )


def _leading(statistics: Statistics) -> report.Source:
    """The source that leads the report: the most reliable one that has scores."""
    scored = (source for source, figures in statistics.sources.items() if figures.total.count)
    return cast(report.Source, next(scored, "model"))


def _run(manifest: Mapping[str, Any], totals: Totals) -> report.Run:
    run, inputs = manifest["run"], manifest["inputs"]
    return report.Run(
        inputs=tuple(run["input"][:_MOST_INPUTS]),
        more_inputs=max(0, len(run["input"]) - _MOST_INPUTS),
        files=inputs["files"],
        bytes=inputs["bytes"],
        date=run["date"],
        operator=run["operator"],
        corpus_hash=manifest["corpus"]["sha256"] if "corpus" in manifest else None,
        readers=readers_in_words(readers_of(manifest, totals)),
    )


def readers_of(manifest: Mapping[str, Any], totals: Totals) -> dict[str, int]:
    """Number of conversations by reader; those without a name count for the reader given for the run."""
    if "review" in manifest:
        return dict(manifest["review"]["readers"])
    readers = dict(totals.readers)
    if (name := manifest["run"]["reviewer"]) and "" in readers:
        readers[name] = readers.get(name, 0) + readers.pop("")
    return readers


def _worst(manifest: Mapping[str, Any], statistics: Statistics) -> tuple[report.WorstConversation, ...]:
    source = _leading(statistics)
    return tuple(
        report.WorstConversation(source, one.conversation_id, one.context, one.score, one.direct_identifier)
        for of, one in worst_from_json(manifest["worst"])
        if of == source
    )


def not_looked_at(manifest: Mapping[str, Any], totals: Totals, statistics: Statistics) -> Iterator[str]:
    """What the scores do not cover, a sentence each."""
    if totals.rows_quarantined:
        are = _of(totals.rows_quarantined, totals.rows_in, "row is", "rows are")
        yield f"{are} in quarantine and not in the corpus."
    if totals.rows_not_read:
        were = _of(totals.rows_not_read, totals.rows_in, "row was", "rows were")
        yield f"{were} not read, as requested by --limit."
    unread = sum(figures.total.unreviewed for figures in statistics.sources.values())
    if unread:
        told = "conversation was not reviewed and has", "conversations were not reviewed and have"
        yield f"{counted(unread, *told)} no score."
    yield from _not_looked_for(manifest.get("not_looked_for"))
    passed = [
        f"{figures['left_out']:,} of {figures['all']:,} {what}"
        for what, figures in (sampling_statistics(totals.sampling) or {}).items()
        if figures["left_out"]
    ]
    if passed:
        yield (
            f"A model skipped {' and '.join(passed)} in which it expected nothing; "
            "the other detectors did not."
        )
    yield from _names_that_stand_out(manifest.get("hidden_in_plain_sight"))
    yield from (f"{told}." for told in in_vain(manifest.get("lists", ())))
    if totals.unscored:
        labels = sorted(totals.unscored, key=lambda label: (-totals.unscored[label], label))
        more = f" and {len(labels) - _MOST_LABELS} more" if len(labels) > _MOST_LABELS else ""
        yield (
            f"{counted(sum(totals.unscored.values()), 'readable place')} of kinds that add nothing to a score: "
            f"{', '.join(labels[:_MOST_LABELS])}{more}."
        )


def _of(some: int, several: int, one: str, more: str) -> str:
    """How many of several things something is said of."""
    noun = (one if several == 1 else more).split()[0]
    verb = (one if some == 1 else more).split()[1]
    return f"{some:,} of {several:,} {noun} {verb}"


def _names_that_stand_out(told: Mapping[str, Any] | None) -> Iterator[str]:
    """What a look for names among surrogates found, with the ids of some conversations to look at."""
    if told is None:
        return
    yield (
        f"Of {counted(told['conversations'], 'conversation')} with names hidden among surrogates, a name that "
        f"was replaced elsewhere stands out in {told['name_shown']:,}, and a word that may be a name in "
        f"{told['name_suspected']:,}."
    )
    if told["look_at"]:
        yield f"Conversations to look at for such names: {', '.join(told['look_at'])}."


def languages_summary(manifest: Mapping[str, Any], totals: Totals) -> dict[str, Any]:
    """The languages of a run, as in statistics.json."""
    return language_statistics(totals.languages, language_settings(manifest))


def language_settings(manifest: Mapping[str, Any]) -> LanguageSettings:
    """The language settings of a run, from its manifest."""
    told = manifest["config"]["languages"]
    return LanguageSettings(frozenset(told["covered"]), told["accepted"], told["uncovered"])


def _languages(manifest: Mapping[str, Any], totals: Totals) -> tuple[report.LanguageShare, ...]:
    return tuple(
        report.LanguageShare(one["name"], one["turns"], one["conversations"], one["covered"], one["accepted"])
        for one in languages_summary(manifest, totals)["by_language"].values()
    )


def _fields(manifest: Mapping[str, Any]) -> report.FieldUse:
    told = manifest["fields"]
    return report.FieldUse(
        tuple(told.get("kept", ())),
        tuple(told.get("opaque", {}).items()),
        tuple(told.get("dropped", ())),
        told.get("dropped_unnamed", 0),
    )


def _not_understood(manifest: Mapping[str, Any], totals: Totals) -> Iterator[str]:
    """Text in languages that no detector covers, and fields that were not inspected."""
    if uncovered := languages_summary(manifest, totals)["conversations_not_covered"]:
        have = counted(uncovered, "conversation has", "conversations have")
        yield f"{have} text in a language that no active detector covers."
    # Conversations may have gone to quarantine since their languages were counted.
    if too_short := min(undecided(totals.languages), totals.conversations):
        share = percent(too_short / totals.conversations)
        have = "has too few words to tell its" if too_short == 1 else "have too few words to tell their"
        yield (
            f"{too_short:,} of {counted(totals.conversations, 'conversation')} ({share}) {have} language, so "
            "it is unknown whether a detector covers it."
        )
    if opaque := _fields(manifest).opaque:
        yield f"Fields that were written unchanged: {', '.join(name for name, _ in opaque)}."


def _not_looked_for(told: Mapping[str, Any] | None) -> Iterator[str]:
    if told is None:
        return
    by_law: dict[tuple[str, str], list[str]] = {}
    for category in told["categories"]:
        by_law.setdefault((category["law"], category["looked_for"]), []).append(category["name"])
    for law in dict.fromkeys(law for law, _ in by_law):
        if none := by_law.get((law, "no")):
            yield f"Not looked for, of {law}: {', '.join(none)}."
        if part := by_law.get((law, "in part")):
            yield f"Looked for in part, of {law}: {', '.join(part)}."
    if told["kinds"]:
        yield f"Scored kinds that no detector looked for: {', '.join(kind['tag'] for kind in told['kinds'])}."
    if told["in_vain"]:
        yield f"Asked for, but no active detector can find it: {', '.join(told['in_vain'])}."


def totals_of(manifest: Mapping[str, Any]) -> Totals:
    """The sums of a run from its manifest."""
    rows = {f"rows_{name}": count for name, count in manifest["rows"].items()}
    told = {**manifest["totals"], **rows}
    return Totals(**{column.name: told[column.name] for column in fields(Totals) if column.name in told})


def _detectors(told: Mapping[str, Any]) -> tuple[str, ...]:
    """The detectors in words; models by name and version."""
    named: list[str] = []
    for name in told["names"]:
        if name == MODEL:
            named.extend(f"model {model['name']} {model['version']}" for model in told["models"])
        else:
            named.append(_IN_WORDS[name])
    return tuple(named)


def _verdict(
    manifest: Mapping[str, Any], statistics: Statistics, failures: tuple[Failure, ...]
) -> report.Verdict:
    told = manifest["verdict"]
    deciding = deciding_sources(statistics, manifest["review"]["source"]) if "review" in manifest else None

    def failure(of: Failure) -> report.Failure:
        figures = statistics.sources.get(of.source)
        if figures is None:
            return report.Failure(of.context, None)
        group = figures.total if of.context is None else figures.contexts[of.context]
        # The context meets the paper's criterion, but not the bound that was required in addition.
        bound = group.mu_plus_sigma_interval if group.passes(told["threshold"]) else None
        source = cast(report.Source, of.source)
        return report.Failure(of.context, group.mu_plus_sigma, source, bound[1] if bound else None)

    return report.Verdict(
        released=told["released"],
        threshold=float(told["threshold"]),
        source=_leading(statistics),
        failures=tuple(map(failure, failures)),
        override_reason=told.get("released_anyway"),
        deciding=None if deciding is None else tuple(cast(report.Source, source) for source in deciding),
        problems=tuple(reason for reason in told["held_by"] if reason not in set(map(str, failures))),
        criterion=told["criterion"],
        evidence=told["evidence"],
        lacks=tuple(told["lacks"]),
        rests_on=tuple(Ground(**ground) for ground in told["rests_on"]),
        next_steps=tuple(told["next"]),
    )


def _row(context: str, group: GroupStatistics) -> report.ContextStatistics:
    return report.ContextStatistics(
        context=context,
        count=group.count,
        unreviewed=group.unreviewed,
        mean=group.mean,
        std=group.std,
        p95=group.p95,
        max=group.max,
        mu_plus_sigma=group.mu_plus_sigma,
        mu_plus_2sigma=group.mu_plus_2sigma,
        share_at_or_over=group.share_at_or_over_threshold,
        passed=group.passed,
        histogram=group.histogram,
        share_interval=group.share_interval if group.count else None,
        mu_plus_sigma_interval=group.mu_plus_sigma_interval,
        mean_interval=group.mean_interval,
        std_interval=group.std_interval,
        p95_interval=group.p95_interval,
        direct_interval=group.direct_identifier_interval if group.count else None,
        direct_identifiers=group.direct_identifiers if group.count else None,
        naming_somebody=group.naming_somebody if group.count else None,
    )


def _tags(totals: Totals, table: ScoreTable) -> tuple[report.TagCounts, ...]:
    """Join counts of masked infoTypes with counts of missed tags, as the score table relates them."""
    by_tag: dict[str, list[report.Masked]] = {}
    rows: list[report.TagCounts] = []
    for info_type in sorted({*totals.findings, *totals.entities}):
        masked = report.Masked(
            info_type, totals.findings.get(info_type, 0), totals.entities.get(info_type, 0)
        )
        tag = _tag(info_type, table)
        if tag is None:
            rows.append(report.TagCounts(None, (masked,)))
        else:
            by_tag.setdefault(tag.name, []).append(masked)
    missed = _missed(totals.missed)
    for name in sorted({*by_tag, *missed}):
        row = table.rows[name]
        whole, partial = missed.get(name, (0, 0))
        masked_as = tuple(by_tag.get(name, ()))
        rows.append(
            report.TagCounts(name, masked_as, whole, partial, row.score, row.partial_score, row.direct)
        )
    return tuple(rows)


def _missed(counts: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Counts (wholly readable, partly readable) by tag, including ``_SPEAKER`` tags."""
    missed: dict[str, tuple[int, int]] = {}
    for key, count in counts.items():
        tag = key.removesuffix("_PARTIAL")
        whole, partial = missed.get(tag, (0, 0))
        missed[tag] = (whole, partial + count) if key.endswith("_PARTIAL") else (whole + count, partial)
    return missed


def _why_unscored(label: str, table: ScoreTable) -> str:
    meaning = table.resolve(label)
    assert isinstance(meaning, Unscored), "only what is known to add nothing is counted apart"
    return meaning.reason


def _tag(info_type: str, table: ScoreTable) -> Tag | None:
    try:
        tag = table.resolve(info_type)
    except RecordError:
        return None
    return tag if isinstance(tag, Tag) else None
