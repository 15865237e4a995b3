"""Match a review of anonymised conversations with their corpus, and judge the corpus by it.

The text of every reviewed conversation, without the marks, must have the hash that the run recorded. The
review must cover a sample drawn by a seed (``tacenda review sample``), or the whole corpus.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Any, Literal

import pyarrow as pa

from tacenda.pipelines.chain.chain import Outcome
from tacenda.pipelines.chain.conversations import risk_records
from tacenda.pipelines.chain.portion import Portions
from tacenda.pipelines.chain.score_chain import ScoreChain
from tacenda.pipelines.config.job_settings import RiskSettings
from tacenda.pipelines.output.anonymized_folder import REVIEW, AnonymizedFolder, read_conversations
from tacenda.pipelines.output.cards import remove_cards, write_cards
from tacenda.pipelines.output.circumstances import before_dropping, facts_of, highest_in_reviews, lowered
from tacenda.pipelines.output.conclusion import publish_bytes, publish_json
from tacenda.pipelines.output.estimates import estimate_of
from tacenda.pipelines.output.output_folder import MARKERS
from tacenda.pipelines.output.putting_aside import corpus_hashes, move, remove_empty
from tacenda.pipelines.output.report_data import report_data, totals_of
from tacenda.pipelines.output.samples import draw_again
from tacenda.pipelines.output.verification import verify
from tacenda.pipelines.work.receipts import CORPUS, HELD
from tacenda.transforms.releasing.judging import Judged, judge
from tacenda.transforms.releasing.manifest import FILES, FILES_FILE, corpus_entry, table_entry
from tacenda.transforms.releasing.report import render
from tacenda.transforms.releasing.verdict import Gate, Judgement, State
from tacenda.transforms.reviewing.drawing import Hashed
from tacenda.transforms.reviewing.spans_files import load_reviews
from tacenda.transforms.schema.conversation import Annotation
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.scoring.identifiability import IdentifiabilitySketch
from tacenda.transforms.scoring.remains import Remains
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.scoring.statistics import RiskSketch, Statistics
from tacenda.transforms.scoring.worst import ScoredConversation, worst_of, worst_to_json
from tacenda.transforms.shapes.declared import REVIEWED_BY
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.storage.files import list_folder, read_bytes, remove_file
from tacenda.transforms.storage.tables import ParquetWriter, read_columns
from tacenda.transforms.writing.columns import batch_hashes
from tacenda.transforms.writing.hashed_file import hashed_file
from tacenda.transforms.writing.staging import RiskRecord, risk_table

Source = Literal["human", "gold"]

RISK_FILE = f"{REVIEW}/part-00000.parquet"
"""Risk records of the review on which the verdict is based."""


@dataclass(slots=True)
class _Found:
    """Results of a review for conversations that match the corpus, and counts of its defects.

    ``readers`` counts conversations by reader; ``unread`` are those without a reader.
    """

    records: list[RiskRecord] = field(default_factory=list)
    named: list[bool] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    readers: Counter[str] = field(default_factory=Counter)
    unread: set[str] = field(default_factory=set)
    strange: int = 0
    changed: int = 0
    not_whole: int = 0
    rejected: Counter[str] = field(default_factory=Counter)


def bind(
    folder: AnonymizedFolder, source: Source, files: Sequence[str], spans: Sequence[str], because: str | None
) -> Judgement:
    """Judge the corpus of a folder by a review, and write verdict, figures and marker to the folder.

    Raises:
        UserError: the folder was changed after its run or the last review; or the review cannot be read, is
            of another corpus, or names no reader.
    """
    manifest = folder.manifest
    refuse_untrue(folder)
    if source == "gold" and any(who.endswith("gold") for who in manifest["totals"]["annotations"]):
        raise UserError("--gold: the input had gold, and the corpus was judged by it; give a review")
    known = {one.conversation_id: one for one in folder.hashed()}
    populations = dict(Counter(one.context for one in known.values()))
    risk = RiskSettings(**manifest["config"]["risk"])
    found = _read(source, files, spans, known, risk)
    if not found.seen and found.unread:
        raise UserError(
            f"{files[0]}: none of its conversations names a reader: readers enter their names as "
            f'"{REVIEWED_BY}"'
        )
    if not found.seen and not found.not_whole:
        raise UserError(
            f"{files[0]}: none of its conversations is in the corpus of {redact_url(folder.output)}; "
            "does it belong to another run?"
        )
    figures = json.loads(read_bytes(f"{folder.output}/statistics.json"))
    statistics = _statistics(figures, source, found, known, populations, risk)
    records = _draw_records(folder)
    drawn = _drawn(folder, records, known)
    review = _manifest_entry(source, found, populations, records, highest_in_reviews(manifest))
    gate, totals = bound_gate(risk, because), totals_of(manifest)
    # Problems that hold a run regardless of its scores still hold it.
    of_review = list(_problems(found, known, drawn))
    problems = [*manifest["verdict"]["problems"], *of_review]
    reviewed = {**manifest, "review": review}
    facts = facts_of(reviewed, totals, gate, statistics, before_dropping(figures))
    judged = judge(statistics, gate, facts, problems)
    judged = _with_run_problems(judged, manifest["verdict"]["problems"])
    _write(folder, source, found, statistics, judged, review, figures, sampled=not of_review)
    return judged.judgement


def bound_gate(risk: RiskSettings, because: str | None) -> Gate:
    """The gate for a review: the criterion applies to the upper bound, because a review is a sample."""
    return replace(risk.gate(), criterion="upper_bound", because=because or risk.because)


def _with_run_problems(judged: Judged, problems: Sequence[str]) -> Judged:
    return judged._replace(judgement=replace(judged.judgement, problems=tuple(problems)))


def _read(
    source: Source, files: Sequence[str], spans: Sequence[str], known: dict[str, Hashed], risk: RiskSettings
) -> _Found:
    reviews = load_reviews(spans)
    table = ScoreTable.load(risk.preset, risk.overrides, risk.labels)
    texts = {one.conversation_id: one.text_hash for one in known.values()}
    chain = ScoreChain(table, reviews, source == "human", risk.variant_clustering, texts, risk.marginals())
    found = _Found()
    for portion in Portions(read_conversations(files, ReadOptions("conversation"))):
        for rejection in portion.rejections:
            found.rejected[rejection.error] += rejection.rows
        batch = portion.outcome.batch
        outcome = chain.run(batch)
        for rejection in outcome.rejections:
            found.rejected[rejection.error] += rejection.rows
        _check(found, source, outcome, known)
    lost = set(reviews) - found.seen
    found.strange += len(lost)
    return found


def _check(found: _Found, source: Source, outcome: Outcome, known: dict[str, Hashed]) -> None:
    hashes = batch_hashes(outcome.batch, outcome.texts, outcome.speakers)
    records = {record.conversation_id: record for record in risk_records(outcome) if record.source == source}
    risks = dict(zip(outcome.batch.ids, outcome.risks, strict=True))
    batch = outcome.batch
    for conversation_id, text_hash, annotation, reader in zip(
        batch.ids, hashes, batch.annotations, batch.readers, strict=True
    ):
        original = known.get(conversation_id)
        risk = risks[conversation_id]
        if original is None:
            found.strange += 1
        elif original.text_hash != text_hash:
            found.changed += 1
        elif not reader:
            found.unread.add(conversation_id)
        elif conversation_id not in records or risk is None:
            found.not_whole += 1
        else:
            if source == "gold" and annotation is not Annotation.GOLD:
                found.not_whole += 1
            found.seen.add(conversation_id)
            found.readers[reader] += 1
            found.records.append(records[conversation_id]._replace(context=original.context))
            found.named.append(risk.names_somebody)


def _problems(
    found: _Found, known: dict[str, Hashed], drawn: dict[tuple[int, int, bool], set[str]]
) -> Iterator[str]:
    """Defects of a review, regardless of its findings."""
    for error, rows in sorted(found.rejected.items()):
        yield f"the review: {counted(rows, 'row is', 'rows are')} invalid ({error}); correct them"
    if found.changed:
        differ = counted(found.changed, "conversation differs", "conversations differ")
        yield f"the review: {differ} from the corpus; add marks and change nothing else"
    if found.strange:
        yield f"the review: {counted(found.strange, 'conversation is', 'conversations are')} not in the corpus"
    if found.unread:
        were = counted(len(found.unread), "conversation was", "conversations were")
        yield f'the review: {were} not read: readers enter their names as "{REVIEWED_BY}"'
    if found.not_whole:
        are = counted(found.not_whole, "conversation is", "conversations are")
        yield f'the review: {are} not complete gold ("gold": "complete")'
    given = found.seen | found.unread
    if given == set(known):
        return
    if not drawn:
        yield "the review is not of a sample drawn by a seed: tacenda review sample OUT"
        return
    nearest = max(drawn.values(), key=lambda ids: (len(ids & given), -len(ids)))
    if missing := len(nearest - given):
        drawn_ones = counted(len(nearest), "drawn conversation")
        yield f"the review: {missing:,} of {drawn_ones} {'is' if missing == 1 else 'are'} missing"
    if more := len(given - nearest):
        were = counted(more, "conversation was", "conversations were")
        yield f"the review: {were} not drawn, and may have been picked by hand"


def _draw_records(folder: AnonymizedFolder) -> list[dict[str, Any]]:
    """The records of samples drawn from this corpus, also of those before conversations were added."""
    names = (url for url in list_folder(f"{folder.output}/{REVIEW}") if "/draw-" in url)
    return [json.loads(read_bytes(url)) for url in names]


def _drawn(
    folder: AnonymizedFolder, records: Sequence[dict[str, Any]], known: dict[str, Hashed]
) -> dict[tuple[int, int, bool], set[str]]:
    """The samples drawn from the corpus as it is, by seed, size and risk; each drawn again, not as recorded."""
    of_this_run = [one for one in records if one["fingerprint"] == folder.manifest["fingerprint"]]
    drawn = {(one["seed"], one["per_context"], one.get("by_risk", False)) for one in of_this_run}
    return {
        (seed, size, by_risk): {
            one.conversation_id for one in draw_again(folder, known.values(), seed, size, by_risk).drawn
        }
        for seed, size, by_risk in sorted(drawn)
    }


def _manifest_entry(
    source: Source,
    found: _Found,
    populations: dict[str, int],
    drawn: Sequence[dict[str, Any]],
    highest: dict[str, int],
) -> dict[str, Any]:
    """The entry on a review in the manifest; ``highest`` are the scores of earlier ones."""
    scores = {record.conversation_id: record.score for record in found.records}
    return {
        "source": source,
        "conversations": len(found.seen),
        "readers": dict(sorted(found.readers.items())),
        "populations": populations,
        "seeds_drawn": len({(one["seed"], one.get("by_risk", False)) for one in drawn}),
        "lowered": lowered(highest, scores),
        "highest": {
            one: score
            for one in sorted({*highest, *scores})
            if (score := max(highest.get(one, 0), scores.get(one, 0)))
        },
    }


def refuse_untrue(folder: AnonymizedFolder) -> None:
    """Check that the folder was not changed after its run or the last review."""
    wrong = [sentence for check in verify(folder.output, version("tacenda")) for sentence in check.wrong]
    if wrong:
        raise UserError(f"{redact_url(folder.output)}: {wrong[0]}; 'tacenda verify' has the details")


def _statistics(
    told: dict[str, Any],
    source: Source,
    found: _Found,
    known: dict[str, Hashed],
    populations: dict[str, int],
    risk: RiskSettings,
) -> Statistics:
    """The figures of the run with those of the review as a separate source."""
    sketch = RiskSketch.from_statistics(told, (source,))
    for record, named in zip(found.records, found.named, strict=True):
        sketch.add(source, record.context, record.score, record.direct_identifier, named)
    read = Counter(known[conversation_id].context for conversation_id in found.seen)
    for context, count in populations.items():
        sketch.add_unreviewed(source, context, count - read[context])
    return sketch.compute(risk.threshold, populations={source: populations})


def _write(
    folder: AnonymizedFolder,
    source: Source,
    found: _Found,
    statistics: Statistics,
    judged: Judged,
    review: dict[str, Any],
    figures: dict[str, Any],
    *,
    sampled: bool,
) -> None:
    """Write the verdict; the marker is removed first and written last.

    ``sampled``: the review is a whole one of a random sample, so that it can correct the self-check.
    """
    output, judgement = folder.output, judged.judgement
    for marker in MARKERS.values():
        remove_file(f"{output}/{marker}")
    remove_cards(output)
    with hashed_file(f"{output}/{RISK_FILE}") as sink:
        table = risk_table(found.records)
        with ParquetWriter(sink, table.schema) as writer:
            writer.write(table)
    review_file = {"sha256": sink.hexdigest(), "rows": table.num_rows, "bytes": sink.tell()}
    tables = _place(folder, judgement.state is State.HELD, review_file)
    left = IdentifiabilitySketch()
    for record in found.records:
        left.add(source, record.direct_identifier, Remains.from_text(record.combination, record.links))
    others = {who: told for who, told in folder.manifest["identifiability"].items() if who != source}
    identifiability = dict(sorted({**others, **left.figures()}.items()))
    figures = {**figures, **statistics.to_json(), "identifiability": identifiability}
    publish_json(f"{output}/statistics.json", figures)
    worst = worst_of(
        (source, ScoredConversation(r.score, r.direct_identifier, r.context, r.conversation_id))
        for r in found.records
    )
    estimate = estimate_of(output, review) if sampled else None
    manifest = {
        **{key: told for key, told in folder.manifest.items() if key != "estimate"},
        **({} if estimate is None else {"estimate": estimate}),
        "verdict": judgement.to_json(),
        **tables,
        "worst": {
            **{k: v for k, v in folder.manifest["worst"].items() if k != source},
            **worst_to_json(worst),
        },
        "identifiability": identifiability,
        "review": review,
    }
    publish_json(f"{output}/manifest.json", manifest)
    report = render(report_data(manifest, statistics, judged.failures))
    publish_bytes(f"{output}/report.html", report.encode())
    write_cards(output, manifest, figures)
    publish_json(f"{output}/{MARKERS[judgement.state]}", manifest["verdict"])


def _place(folder: AnonymizedFolder, held: bool, review_file: dict[str, Any]) -> dict[str, Any]:
    """Move the corpus to the folder for its new state and rewrite the table of files; its manifest entries."""
    output, target = folder.output, HELD if held else CORPUS
    rows: list[dict[str, Any]] = []
    for row in read_columns(f"{output}/{FILES_FILE}", FILES.names).to_pylist():
        where, _, name = row["path"].partition("/")
        if where in (CORPUS, HELD) and where != target:
            move(f"{output}/{where}/{name}", f"{output}/{target}/{name}")
            row["path"] = f"{target}/{name}"
        if row["path"] != RISK_FILE:
            rows.append(row)
    rows.append({"path": RISK_FILE, "part": "00000", **review_file})
    rows.sort(key=lambda row: (row["part"], row["path"]))
    remove_empty(output, [CORPUS if held else HELD])
    table = pa.Table.from_pylist(rows, schema=FILES)
    with hashed_file(f"{output}/{FILES_FILE}") as sink, ParquetWriter(sink, FILES) as writer:
        writer.write(table)
    return {
        "files": table_entry(FILES_FILE, table.num_rows, sink.hexdigest()),
        **corpus_entry(corpus_hashes({row["path"]: row for row in rows})),
    }
