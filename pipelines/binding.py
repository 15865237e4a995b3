"""Bind what people found in anonymised conversations to the corpus that these are of, and judge it by that.

Every conversation of a review has to read as it was written: the hash of its text without the marks is the one
that the run wrote. The review has to be of a sample that was drawn by a seed (``tacenda review sample``), or of
the whole corpus.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import pyarrow as pa

from tacenda.pipelines.anonymized_folder import AnonymizedFolder, read_conversations
from tacenda.pipelines.chain import Outcome
from tacenda.pipelines.conclusion import publish_bytes, publish_json
from tacenda.pipelines.conversations import risk_records
from tacenda.pipelines.output_folder import MARKERS
from tacenda.pipelines.portion import Portions
from tacenda.pipelines.putting_aside import move, remove_empty
from tacenda.pipelines.receipts import CORPUS, HELD
from tacenda.pipelines.report_data import report_data, totals_of
from tacenda.pipelines.review import REVIEW
from tacenda.pipelines.score_chain import ScoreChain
from tacenda.pipelines.settings import RiskSettings
from tacenda.transforms.releasing.judging import Facts, Judged, judge
from tacenda.transforms.releasing.manifest import FILES, FILES_FILE, corpus_hash
from tacenda.transforms.releasing.report import render
from tacenda.transforms.releasing.verdict import Gate, Ground, Judgement, State
from tacenda.transforms.reviewing.drawing import Hashed
from tacenda.transforms.reviewing.spans_files import load_reviews
from tacenda.transforms.schema.conversation import Annotation
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.scoring.statistics import RiskSketch, Statistics
from tacenda.transforms.scoring.worst import ScoredConversation, worst_of, worst_to_json
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.storage.files import list_folder, read_bytes, remove_file
from tacenda.transforms.storage.parquet import ParquetWriter, read_columns
from tacenda.transforms.writing.hashed_file import hashed_file
from tacenda.transforms.writing.risk import RiskRecord, risk_table
from tacenda.transforms.writing.text_hashes import batch_hashes

Source = Literal["human", "gold"]

RISK_FILE = f"{REVIEW}/part-00000.parquet"
"""Risk records of the review that the verdict rests on."""


@dataclass(slots=True)
class _Found:
    """What a review says of conversations that read as in the corpus, and what is wrong with it."""

    records: list[RiskRecord] = field(default_factory=list)
    named: list[bool] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    strange: int = 0
    changed: int = 0
    not_whole: int = 0
    rejected: Counter[str] = field(default_factory=Counter)


def bind(
    folder: AnonymizedFolder, source: Source, files: Sequence[str], spans: Sequence[str], because: str | None
) -> Judgement:
    """Judge the corpus of a folder by a review, and write the verdict, its figures and its marker there.

    Raises:
        UserError: the files of the corpus are not those that were written; the review cannot be read, or is of
            another corpus.
    """
    folder.refuse_changed()
    manifest = folder.manifest
    if source == "gold" and any(who.endswith("gold") for who in manifest["totals"]["annotations"]):
        raise UserError("--gold: the input had gold, and the corpus was judged by it; give a review")
    known = {one.conversation_id: one for one in folder.hashed()}
    populations = dict(Counter(one.context for one in known.values()))
    risk = RiskSettings(**manifest["config"]["risk"])
    found = _read(source, files, spans, known, risk)
    if not found.seen:
        raise UserError(
            f"{files[0]}: none of its conversations is in the corpus of OUT; is it of another run?"
        )
    statistics = _statistics(folder, source, found, known, populations, risk)
    # What held the run whatever its scores are holds it still.
    problems = [*manifest["verdict"]["problems"], *_problems(folder, found, known)]
    totals = totals_of(manifest)
    facts = Facts(
        totals.rows_in,
        totals.rows_quarantined,
        totals.annotations,
        bound=source,
        populations=populations,
        dropped=totals.dropped,
        grounds=[
            *(Ground(**ground) for ground in manifest["settings"]),
            *([Ground(f"the reason given for the settings: {because}")] if because else []),
        ],
    )
    judged = judge(statistics, bound_gate(risk, because), facts, problems)
    judged = _with_run_problems(judged, manifest["verdict"]["problems"])
    _write(folder, source, found, statistics, judged, populations, files)
    return judged.judgement


def bound_gate(risk: RiskSettings, because: str | None) -> Gate:
    """What a review has to meet: of a sample, the upper bound."""
    return replace(risk.gate(), criterion="upper_bound", because=because or risk.because)


def _with_run_problems(judged: Judged, problems: Sequence[str]) -> Judged:
    return judged._replace(judgement=replace(judged.judgement, problems=tuple(problems)))


def _read(
    source: Source, files: Sequence[str], spans: Sequence[str], known: dict[str, Hashed], risk: RiskSettings
) -> _Found:
    reviews = load_reviews(spans)
    table = ScoreTable.load(risk.preset, risk.overrides, risk.labels)
    texts = {one.conversation_id: one.text_hash for one in known.values()}
    chain = ScoreChain(table, reviews, source == "human", risk.variant_clustering, texts)
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
    for conversation_id, text_hash, annotation in zip(
        outcome.batch.ids, hashes, outcome.batch.annotations, strict=True
    ):
        original = known.get(conversation_id)
        risk = risks[conversation_id]
        if original is None:
            found.strange += 1
        elif original.text_hash != text_hash:
            found.changed += 1
        elif conversation_id not in records or risk is None:
            found.not_whole += 1
        else:
            if source == "gold" and annotation is not Annotation.GOLD:
                found.not_whole += 1
            found.seen.add(conversation_id)
            found.records.append(records[conversation_id]._replace(context=original.context))
            found.named.append(risk.names_somebody)


def _problems(folder: AnonymizedFolder, found: _Found, known: dict[str, Hashed]) -> Iterator[str]:
    """What is wrong with a review, whatever it says."""
    for error, rows in sorted(found.rejected.items()):
        yield f"the review: {rows} rows cannot be taken ({error}); mend them"
    if found.changed:
        yield (
            f"the review: {found.changed} conversations do not read as in the corpus; marks may be added, "
            "and nothing else changed"
        )
    if found.strange:
        yield f"the review: {found.strange} conversations are not in the corpus"
    if found.not_whole:
        yield f'the review: {found.not_whole} conversations are not gold that says of itself "gold": "complete"'
    if found.seen == set(known):
        return
    drawn = [{one["conversation_id"] for one in draw["conversations"]} for draw in draws(folder)]
    if not drawn:
        yield "the review is of no sample that was drawn by a seed: tacenda review sample OUT"
        return
    nearest = max(drawn, key=lambda ids: (len(ids & found.seen), -len(ids)))
    if missing := len(nearest - found.seen):
        yield f"the review: {missing} of {len(nearest)} conversations that were drawn are not in it"
    if more := len(found.seen - nearest):
        yield f"the review: {more} conversations were not drawn, and may have been picked by hand"


def draws(folder: AnonymizedFolder) -> list[dict[str, Any]]:
    """The samples that were drawn from this corpus."""
    names = (url for url in list_folder(f"{folder.output}/{REVIEW}") if "/draw-" in url)
    told = [json.loads(read_bytes(url)) for url in names]
    return [draw for draw in told if draw["fingerprint"] == folder.manifest["fingerprint"]]


def _statistics(
    folder: AnonymizedFolder,
    source: Source,
    found: _Found,
    known: dict[str, Hashed],
    populations: dict[str, int],
    risk: RiskSettings,
) -> Statistics:
    """The figures of the run, and beside them, never added, those of the review."""
    sketch = RiskSketch.from_statistics(json.loads(read_bytes(f"{folder.output}/statistics.json")), (source,))
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
    populations: dict[str, int],
    files: Sequence[str],
) -> None:
    """Write the verdict; the marker goes first and comes last."""
    output, judgement = folder.output, judged.judgement
    for marker in MARKERS.values():
        remove_file(f"{output}/{marker}")
    with hashed_file(f"{output}/{RISK_FILE}") as sink:
        table = risk_table(found.records)
        with ParquetWriter(sink, table.schema) as writer:
            writer.write(table)
    review_file = {"sha256": sink.hexdigest(), "rows": table.num_rows, "bytes": sink.tell()}
    tables = _place(folder, judgement.state is State.HELD, review_file)
    told = json.loads(read_bytes(f"{output}/statistics.json"))
    publish_json(f"{output}/statistics.json", {**told, **statistics.to_json()})
    worst = worst_of(
        (source, ScoredConversation(r.score, r.direct_identifier, r.context, r.conversation_id))
        for r in found.records
    )
    manifest = {
        **folder.manifest,
        "verdict": judgement.to_json(),
        **tables,
        "worst": {
            **{k: v for k, v in folder.manifest["worst"].items() if k != source},
            **worst_to_json(worst),
        },
        "review": {
            "source": source,
            "conversations": len(found.seen),
            "populations": populations,
            "samples_drawn": len(draws(folder)),
        },
    }
    publish_json(f"{output}/manifest.json", manifest)
    report = render(report_data(manifest, statistics, judged.failures))
    publish_bytes(f"{output}/report.html", report.encode())
    publish_json(f"{output}/{MARKERS[judgement.state]}", manifest["verdict"])


def _place(folder: AnonymizedFolder, held: bool, review_file: dict[str, Any]) -> dict[str, Any]:
    """Put the corpus where it belongs now, and tell of all files anew."""
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
    told: dict[str, Any] = {"files": {"file": FILES_FILE, "rows": table.num_rows, "sha256": sink.hexdigest()}}
    corpus = {
        row["path"].partition("/")[2]: row["sha256"] for row in rows if row["path"].startswith(f"{target}/")
    }
    if corpus:
        told["corpus"] = {"files": len(corpus), "sha256": corpus_hash(corpus)}
    return told
