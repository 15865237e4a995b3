"""Match a review of anonymised conversations with their corpus, and judge the corpus by it.

The text of every reviewed conversation, without the marks, must be that of the corpus. The review must cover
the last sample that was drawn (``tacenda review sample``), or the whole corpus.
"""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from statistics import median
from typing import Any, Literal

from tacenda.pipelines.chain.conversations import risk_records
from tacenda.pipelines.chain.outcome import Outcome
from tacenda.pipelines.chain.portion import Portions
from tacenda.pipelines.chain.score_chain import ScoreChain
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import say
from tacenda.pipelines.config.job_settings import RiskSettings
from tacenda.pipelines.output.anonymized_folder import (
    REVIEW,
    AnonymizedFolder,
    Look,
    draw_again,
    looks_of,
    open_folder,
    read_conversations,
    talks_of,
)
from tacenda.pipelines.output.change import Change, held_alone, is_unsettled
from tacenda.pipelines.output.signing import SigningKey, signing_key
from tacenda.pipelines.output.summary import figures_in_words
from tacenda.pipelines.output.verification import refuse_untrue
from tacenda.transforms.releasing.run import (
    Run,
    gate_of,
    highest_in_reviews,
    lowered,
    totals_of,
)
from tacenda.transforms.releasing.verdict import State
from tacenda.transforms.reviewing.drawing import Hashed
from tacenda.transforms.reviewing.marks import Talk
from tacenda.transforms.reviewing.spans_files import check_review_file, load_reviews
from tacenda.transforms.schema.conversation import Annotation, ConversationBatch
from tacenda.transforms.schema.errors import UserError, is_reason
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.scoring.bounds import ERROR, Reading
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.shapes.declared import REVIEWED_BY
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.storage.files import absolute
from tacenda.transforms.storage.locating import locate
from tacenda.transforms.storage.tables import ParquetWriter
from tacenda.transforms.writing.columns import batch_hashes
from tacenda.transforms.writing.part_files import hashed_file
from tacenda.transforms.writing.staging import RiskRecord, risk_table

Source = Literal["human", "gold"]

RISK_FILE = f"{REVIEW}/part-00000.parquet"
"""Risk records of the review on which the verdict is based."""


@dataclass(slots=True)
class _Found:
    """Results of a review for conversations that match the corpus, and counts of its defects.

    ``readers`` counts conversations by reader; ``unread`` are those without a reader. ``not_shown`` counts
    those whose record holds more than the review has.
    """

    records: dict[str, RiskRecord] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    readers: Counter[str] = field(default_factory=Counter)
    unread: set[str] = field(default_factory=set)
    rejected: Counter[str] = field(default_factory=Counter)
    strange: int = 0
    changed: int = 0
    not_whole: int = 0
    not_shown: int = 0


def bind(
    folder: AnonymizedFolder,
    source: Source,
    files: Sequence[str],
    spans: Sequence[str],
    because: str | None,
    key: SigningKey | None = None,
) -> dict[str, Any]:
    """Bind a review to a corpus: judge the corpus by it, and write the verdict into its folder.

    The risk records of the run stay as they are, beside those of the review. The corpus is moved to
    ``corpus/`` or ``held/`` according to the verdict. A second review replaces the first.

    Args:
        folder: the corpus.
        source: ``human`` for reviewers' marks, ``gold`` for a test set of which all remaining personal data is
            annotated.
        files: the reviewed conversations, with their marks.
        spans: files of further marks.
        because: the reason for settings that weaken the gate; None for the config's.
        key: signs the manifest.

    Returns:
        the verdict.

    Raises:
        UserError: the folder was changed after its run or the last review; or the review cannot be read, is
            of another corpus, or names no reader.
    """
    manifest = folder.manifest
    refuse_untrue(folder)
    if source == "gold" and any(who.endswith("gold") for who in manifest["totals"]["annotations"]):
        raise UserError("--gold: the input had gold, and the corpus was judged by it; give a review")
    seconds = [time for file in locate(files) for time in check_review_file(file.url)]
    known = {one.conversation_id: one for one in folder.hashed()}
    populations = dict(sorted(Counter(one.context for one in known.values()).items()))
    risk = RiskSettings(**manifest["config"]["risk"])
    found = _read(folder, source, files, spans, known, risk)
    if not found.records and found.unread:
        raise UserError(
            f"{files[0]}: none of its conversations names a reader: readers enter their names as "
            f'"{REVIEWED_BY}"'
        )
    if not found.records and not found.not_whole:
        raise UserError(
            f"{files[0]}: none of its conversations is in the corpus of {redact_url(folder.output)}; "
            "does it belong to another run?"
        )
    looks = looks_of(folder)
    look = looks[-1] if looks else None
    reading, defects = _reading(folder, source, found, known, look)
    review = _manifest_entry(source, found, populations, reading, looks, highest_in_reviews(manifest))
    if seconds:
        review["seconds"] = {"conversations": len(seconds), "median": median(seconds), "sum": sum(seconds)}
    change = Change(folder)
    change.manifest["review"] = review
    table = risk_table(list(found.records.values()))
    with hashed_file(change.aside(RISK_FILE)) as sink, ParquetWriter(sink, table.schema) as writer:
        writer.write(table)
    told = {"sha256": sink.hexdigest(), "rows": table.num_rows, "bytes": sink.tell()}
    change.replace(RISK_FILE, "00000", told)
    scores = change.scores(without=[source])
    read_of = Counter(known[name].context for name in found.records)
    for context, count in populations.items():
        scores.sketch.add_unreviewed(source, context, count - read_of[context])
    gate = gate_of(manifest, because or manifest["config"]["risk"]["because"])
    # Problems that hold a run regardless of its scores still hold it.
    problems = manifest["verdict"]["problems"]
    run = Run(change.manifest, totals_of(manifest), scores, gate)
    state = change.judge(run, [*problems, *_problems(found), *defects])
    # A further review may mend the others.
    change.manifest["verdict"]["problems"] = problems
    change.place(state is State.HELD)
    change.carry_out(key)
    return dict(change.manifest["verdict"])


def _read(
    folder: AnonymizedFolder,
    source: Source,
    files: Sequence[str],
    spans: Sequence[str],
    known: dict[str, Hashed],
    risk: RiskSettings,
) -> _Found:
    reviews = load_reviews(spans)
    table = ScoreTable.load(risk.preset, risk.overrides, risk.labels)
    batches, found = [], _Found()
    for portion in Portions(read_conversations(files, ReadOptions("conversation"))):
        for rejection in portion.rejections:
            found.rejected[rejection.error] += rejection.rows
        batches.append(portion.outcome.batch)
    names = _as_written(batches, known, table)
    batches = [replace(batch, ids=[names.get(one, one) for one in batch.ids]) for batch in batches]
    reviews = {names.get(name, name): spans for name, spans in reviews.items()}
    ids = dict.fromkeys(one for batch in batches for one in batch.ids)
    talks = {
        talk.conversation_id: talk for talk in talks_of(folder, [known[one] for one in ids if one in known])
    }
    hashes = {name: {talk.text_hash, talk.plain_hash} for name, talk in talks.items()}
    chain = ScoreChain(table, reviews, source == "human", risk.variant_clustering, hashes)
    seen: set[str] = set()
    for batch in batches:
        outcome = chain.run(batch)
        for rejection in outcome.rejections:
            found.rejected[rejection.error] += rejection.rows
        seen.update(outcome.batch.ids)
        _check(found, source, outcome, known, talks)
    found.strange += len(set(reviews) - seen)
    return found


def _as_written(
    batches: Sequence[ConversationBatch], known: dict[str, Hashed], table: ScoreTable
) -> dict[str, str]:
    """The ids of the corpus by those of the input, where a review has the latter: whose text is found once."""
    times = Counter(one.text_hash for one in known.values())
    written = {one.text_hash: name for name, one in known.items() if times[one.text_hash] == 1}
    given = {name for batch in batches for name in batch.ids}
    names: dict[str, str] = {}
    for batch in batches if not given <= known.keys() else ():
        outcome = ScoreChain(table, {}).run(batch)
        hashes = batch_hashes(outcome.batch, outcome.texts, outcome.speakers)
        for name, hashed in zip(outcome.batch.ids, hashes, strict=True):
            if name not in known and (here := written.get(hashed)) is not None and here not in given:
                names[name] = here
    return names


def _check(
    found: _Found, source: Source, outcome: Outcome, known: dict[str, Hashed], talks: dict[str, Talk]
) -> None:
    hashes = batch_hashes(outcome.batch, outcome.texts, outcome.speakers)
    records = {record.conversation_id: record for record in risk_records(outcome) if record.source == source}
    batch = outcome.batch
    for i, (name, hashed) in enumerate(zip(batch.ids, hashes, strict=True)):
        talk, reader, risk = talks.get(name), batch.readers[i], outcome.risks[i]
        if talk is None:
            found.strange += 1
        elif hashed not in (talk.text_hash, talk.plain_hash):
            found.changed += 1
        elif not reader:
            found.unread.add(name)
        elif name not in records or risk is None:
            found.not_whole += 1
        else:
            found.not_whole += source == "gold" and batch.annotations[i] is not Annotation.GOLD
            found.not_shown += hashed != talk.text_hash
            found.readers[reader] += 1
            found.records[name] = records[name]._replace(context=known[name].context)
            if risk.names_somebody:
                found.named.add(name)


def _problems(found: _Found) -> Iterator[str]:
    """Defects of a review, regardless of its findings."""
    for error, rows in sorted(found.rejected.items()):
        yield f"the review: {counted(rows, 'row is', 'rows are')} invalid ({error}); correct them"
    for number, one, several, of in (
        (found.changed, "differs", "differ", "from the corpus; add marks and change nothing else"),
        (found.strange, "is", "are", "not in the corpus"),
        (len(found.unread), "was", "were", f'not read: readers enter their names as "{REVIEWED_BY}"'),
        (found.not_whole, "is", "are", 'not complete gold ("gold": "complete")'),
    ):
        if number:
            yield f"the review: {counted(number, f'conversation {one}', f'conversations {several}')} {of}"


def _reading(
    folder: AnonymizedFolder, source: Source, found: _Found, known: dict[str, Hashed], look: Look | None
) -> tuple[Reading, list[str]]:
    """What was read of the last sample that was drawn, or of the whole corpus; and what is missing of it."""
    read = {*found.records, *found.unread}
    defects = []
    if read >= set(known) or look is None:
        drawn, extra = set(known), set[str]()
        if look is None and not read >= set(known):
            defects.append("the review is not of a drawn sample: tacenda review sample OUT --output FILE")
    else:
        sample = draw_again(folder, look, known.values())
        drawn, extra = ({one.conversation_id for one in some} for some in (sample.drawn, sample.extra))
        if missing := len((drawn | extra) - read):
            drawn_ones = counted(len(drawn | extra), "drawn conversation")
            defects.append(
                f"the review: {missing:,} of {drawn_ones} {'is' if missing == 1 else 'are'} missing"
            )
        if more := len(read - drawn - extra):
            were = counted(more, "conversation was", "conversations were")
            defects.append(f"the review: {were} not drawn, and may have been picked by hand")
        if look.planted and look.caught is None:
            defects.append(
                "the review: leaks were planted for its readers; tacenda review import their pages first"
            )
    direct = {name for name, record in found.records.items() if record.direct_identifier}
    reading = Reading(
        source,
        population=len(known),
        drawn=len(drawn),
        direct=len(direct & drawn),
        named=len(found.named & drawn),
        extra_direct=len(direct - drawn),
        extra_named=len(found.named - drawn),
        read=len(found.records),
        error=look.error if look is not None and len(drawn) < len(known) else ERROR,
        planted=len(look.planted) if look is not None else 0,
        caught=(look.caught or 0) if look is not None else 0,
    )
    return reading, defects


def _manifest_entry(
    source: Source,
    found: _Found,
    populations: dict[str, int],
    reading: Reading,
    looks: Sequence[Look],
    highest: dict[str, int],
) -> dict[str, Any]:
    """The entry on a review in the manifest; ``highest`` are the scores of earlier ones."""
    scores = {name: record.score for name, record in found.records.items()}
    return {
        "source": source,
        "conversations": len(found.records),
        "readers": dict(sorted(found.readers.items())),
        "populations": populations,
        "reading": {name: told for name, told in asdict(reading).items() if name != "left"},
        "looks": [{"read": one.read, "error": one.error, "last": one.last} for one in looks],
        "not_shown": found.not_shown,
        "lowered": lowered(highest, scores),
        "highest": {
            one: score
            for one in sorted({*highest, *scores})
            if (score := max(highest.get(one, 0), scores.get(one, 0)))
        },
    }


def release(arguments: Namespace) -> int:
    """Bind a review to an output folder and print the verdict; returns the exit code.

    Raises:
        UserError: the folder or a review cannot be used, or the options contradict each other.
    """
    if arguments.because is not None and not is_reason(arguments.because):
        raise UserError("--because: give the reason in words; it is written to the manifest")
    if arguments.gold and arguments.spans:
        raise UserError("--spans: only applies to --review")
    output = absolute(arguments.folder).rstrip("/")
    if not is_unsettled(output):
        open_folder(output)
    key = signing_key(arguments.signing_key, output)
    with held_alone(output, "release", key):
        verdict = bind(
            open_folder(output, held=True),
            "gold" if arguments.gold else "human",
            [absolute(url) for url in arguments.gold or arguments.review],
            [absolute(url) for url in arguments.spans],
            arguments.because,
            key,
        )
    lines = [f"verdict        {'released' if verdict['released'] else 'HELD'}"]
    lines += [f"               {line}" for line in (*figures_in_words(verdict), *verdict["held_by"])]
    say("\n".join([*lines, f"output         {redact_url(output)}"]))
    return ExitCode.DONE if verdict["released"] else ExitCode.HELD
