"""Match a review of anonymised conversations with their corpus, and judge the corpus by it.

The text of every reviewed conversation, without the marks, must be that of the corpus. The review must cover
the last sample that was drawn (``tacenda review sample``), or the whole corpus.
"""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from statistics import median
from typing import Any, Literal

from tacenda.pipelines.chain.conversations import portions_of, risk_records
from tacenda.pipelines.chain.outcome import Outcome
from tacenda.pipelines.chain.score_chain import ScoreChain
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import say
from tacenda.pipelines.output.anonymized_folder import RISK_FILE, AnonymizedFolder
from tacenda.pipelines.output.change import Change, held_alone
from tacenda.pipelines.output.signing import SigningKey, signing_key
from tacenda.pipelines.output.summary import figures_in_words, in_columns
from tacenda.pipelines.output.verification import refuse_untrue
from tacenda.pipelines.work.plan import make_plan
from tacenda.transforms.releasing.run import corpora_in_reviews, highest_in_reviews, lowered
from tacenda.transforms.reviewing.drawing import error_of
from tacenda.transforms.reviewing.marks import Talk
from tacenda.transforms.reviewing.spans_files import check_review_file, load_reviews
from tacenda.transforms.schema.conversation import Annotation
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.rejection import Rejection
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.scoring.bounds import ERROR, Reading
from tacenda.transforms.shapes.declared import REVIEWED_BY
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.storage.files import absolute
from tacenda.transforms.storage.locating import locate
from tacenda.transforms.storage.tables import ParquetWriter
from tacenda.transforms.writing.columns import batch_hashes
from tacenda.transforms.writing.part_files import hashed_file
from tacenda.transforms.writing.staging import RiskRecord, risk_table

Source = Literal["human", "gold"]


class _Review:
    """The conversations of a review that match the corpus, and counts of its defects.

    ``readers`` counts conversations by reader; ``unread`` are those without a reader. ``not_shown`` counts
    those whose record holds more than the review has.
    """

    def __init__(self, folder: AnonymizedFolder, source: Source) -> None:
        self._folder, self._source = folder, source
        self._known = {one.conversation_id: one for one in folder.hashed()}
        self.records: dict[str, RiskRecord] = {}
        self._named: set[str] = set()
        self._readers = Counter[str]()
        self._unread: set[str] = set()
        self._rejected = Counter[str]()
        self._strange = self._changed = self._not_whole = self._not_shown = 0

    def read(self, files: Sequence[str], spans: Sequence[str]) -> None:
        """Read the files of the review.

        Raises:
            UserError: nothing in them is of the corpus, or nobody read it.
        """
        reviews, table = load_reviews(spans), self._folder.score_table
        batches = []
        for portion in portions_of(make_plan(files, ReadOptions("conversation")).readings(), []):
            self._reject(portion.rejections)
            batches.append(portion.batch)
        ids = dict.fromkeys(one for batch in batches for one in batch.ids)
        known = [self._known[one] for one in ids if one in self._known]
        talks = {talk.conversation_id: talk for talk in self._folder.talks(known)}
        hashes = {name: {talk.text_hash, talk.plain_hash} for name, talk in talks.items()}
        clustering = self._folder.manifest["config"]["risk"]["variant_clustering"]
        chain = ScoreChain(table, reviews, self._source == "human", clustering, hashes)
        seen: set[str] = set()
        for batch in batches:
            outcome = chain.run(batch)
            self._reject(outcome.rejections)
            seen.update(outcome.batch.ids)
            self._check(outcome, talks)
        self._strange += len(set(reviews) - seen)
        if not self.records and self._unread:
            raise UserError(
                f"{files[0]}: none of its conversations names a reader: readers enter their names as "
                f'"{REVIEWED_BY}"'
            )
        if not self.records and not self._not_whole:
            raise UserError(
                f"{files[0]}: none of its conversations is in the corpus of "
                f"{redact_url(self._folder.output)}; does it belong to another run?"
            )

    def _reject(self, rejections: Iterable[Rejection]) -> None:
        for rejection in rejections:
            self._rejected[rejection.error] += rejection.rows

    def _check(self, outcome: Outcome, talks: Mapping[str, Talk]) -> None:
        batch, source = outcome.batch, self._source
        hashes = batch_hashes(batch, outcome.texts, outcome.speakers)
        records = {one.conversation_id: one for one in risk_records(outcome) if one.source == source}
        for i, (name, hashed) in enumerate(zip(batch.ids, hashes, strict=True)):
            talk, reader, risk = talks.get(name), batch.readers[i], outcome.risks[i]
            if talk is None:
                self._strange += 1
            elif hashed not in (talk.text_hash, talk.plain_hash):
                self._changed += 1
            elif not reader:
                self._unread.add(name)
            elif name not in records or risk is None:
                self._not_whole += 1
            else:
                self._not_whole += source == "gold" and batch.annotations[i] is not Annotation.GOLD
                self._not_shown += hashed != talk.text_hash
                self._readers[reader] += 1
                self.records[name] = records[name]._replace(context=self._known[name].context)
                if risk.names_somebody:
                    self._named.add(name)

    def problems(self) -> Iterator[str]:
        """Defects of the review, regardless of its findings."""
        for error, rows in sorted(self._rejected.items()):
            yield f"the review: {counted(rows, 'row is', 'rows are')} invalid ({error}); correct them"
        for number, one, several, of in (
            (self._changed, "differs", "differ", "from the corpus; add marks and change nothing else"),
            (self._strange, "is", "are", "not in the corpus"),
            (len(self._unread), "was", "were", f'not read: readers enter their names as "{REVIEWED_BY}"'),
            (self._not_whole, "is", "are", 'not complete gold ("gold": "complete")'),
        ):
            if number:
                yield f"the review: {counted(number, f'conversation {one}', f'conversations {several}')} {of}"

    def reading(self) -> tuple[Reading, list[str]]:
        """What was read of the last sample, or of the whole corpus; and what is missing of it."""
        read, known, looks = {*self.records, *self._unread}, set(self._known), self._folder.looks()
        look = looks[-1] if looks else None
        drawn, extra, defects = known, set[str](), []
        if look is None and not read >= known:
            defects.append("the review is not of a drawn sample: tacenda review sample OUT --output FILE")
        elif look is not None and not read >= known:
            sample = look.sample(self._known.values())
            drawn, extra = ({one.conversation_id for one in some} for some in (sample.drawn, sample.extra))
            if missing := len((drawn | extra) - read):
                of = counted(len(drawn | extra), "drawn conversation")
                defects.append(f"the review: {missing:,} of {of} {'is' if missing == 1 else 'are'} missing")
            if more := len(read - drawn - extra):
                were = counted(more, "conversation was", "conversations were")
                defects.append(f"the review: {were} not drawn, and may have been picked by hand")
            if look.planted and look.caught is None:
                defects.append(
                    "the review: leaks were planted for its readers; tacenda review import their pages first"
                )
        drawn = drawn & self.records.keys()  # nothing is known of those that nobody read
        # What was read at earlier looks counts, and so do the leaks that measured its readers.
        measured = [one for one in looks if one is look or one.caught is not None]
        direct = {name for name, record in self.records.items() if record.direct_identifier}
        reading = Reading(
            self._source,
            population=len(known),
            drawn=len(drawn),
            direct=len(direct & drawn),
            named=len(self._named & drawn),
            extra_direct=len(direct - drawn),
            extra_named=len(self._named - drawn),
            read=len(self.records),
            error=error_of(look.number) if look is not None and len(drawn) < len(known) else ERROR,
            planted=sum(len(one.planted) for one in measured),
            caught=sum(one.caught or 0 for one in measured),
        )
        return reading, defects

    def entry(self, reading: Reading) -> dict[str, Any]:
        """The entry on the review in the manifest."""
        before = highest_in_reviews(self._folder.manifest)
        scores = {name: record.score for name, record in self.records.items()}
        highest = {one: max(before.get(one, 0), scores.get(one, 0)) for one in sorted({*before, *scores})}
        looks = self._folder.looks()
        corpora = {*corpora_in_reviews(self._folder.manifest), self._folder.seed}
        return {
            "source": self._source,
            "conversations": len(self.records),
            "readers": dict(sorted(self._readers.items())),
            "populations": dict(sorted(Counter(one.context for one in self._known.values()).items())),
            "reading": {name: told for name, told in asdict(reading).items() if name != "left"},
            "looks": [one.read for one in looks],
            "corpora": sorted(corpora),
            "samples_unused": self._folder.samples_unused(corpora),
            "not_shown": self._not_shown,
            "lowered": lowered(before, scores),
            "highest": {one: score for one, score in highest.items() if score},
        }


def release(arguments: Namespace) -> int:
    """Bind a review to an output folder and print the verdict; returns the exit code.

    The corpus is judged by the review. The risk records of the run stay as they are, beside those of the
    review; the corpus is moved to ``corpus/`` or ``.held/`` according to the verdict. A second review replaces
    the first.

    Raises:
        UserError: the options contradict each other; the folder was changed after its run or the last review;
            or the review cannot be read, is of another corpus, or names no reader.
    """
    if arguments.gold and arguments.spans:
        raise UserError("--spans: only applies to --review")
    output = absolute(arguments.folder).rstrip("/")
    key = signing_key(arguments.signing_key, output)
    with held_alone(output, "release") as folder:
        verdict = _bind(folder, arguments, key)
    told = ["released" if verdict["released"] else "HELD", *figures_in_words(verdict), *verdict["held_by"]]
    say(in_columns([("verdict", told), ("output", [redact_url(output)])]))
    return ExitCode.DONE if verdict["released"] else ExitCode.HELD


def _bind(folder: AnonymizedFolder, arguments: Namespace, key: SigningKey | None) -> dict[str, Any]:
    """Judge a corpus by the review of the arguments, and write the verdict into its folder."""
    manifest = folder.manifest
    source: Source = "gold" if arguments.gold else "human"
    files, spans = (
        [absolute(url) for url in urls] for urls in (arguments.gold or arguments.review, arguments.spans)
    )
    refuse_untrue(folder)
    if source == "gold" and any(who.endswith("gold") for who in manifest["totals"]["annotations"]):
        raise UserError("--gold: the input had gold, and the corpus was judged by it; give a review")
    seconds = [time for file in locate(files) for time in check_review_file(file.url)]
    review = _Review(folder, source)
    review.read(files, spans)
    reading, defects = review.reading()
    told = review.entry(reading)
    if problems := [*review.problems(), *defects]:
        told["problems"] = problems
    if seconds:
        told["seconds"] = {"conversations": len(seconds), "median": median(seconds), "sum": sum(seconds)}
    if arguments.because:
        told["because"] = arguments.because
    change = Change(folder)
    change.manifest["review"] = told
    table = risk_table(list(review.records.values()))
    with hashed_file(change.aside(RISK_FILE)) as sink, ParquetWriter(sink, table.schema) as writer:
        writer.write(table)
    change.replace(RISK_FILE, "00000", sink.told(table.num_rows))
    scores = change.scores(without=[source])
    read_of = Counter(record.context for record in review.records.values())
    for context, count in told["populations"].items():
        scores.sketch.add_unreviewed(source, context, count - read_of[context])
    return change.carry_out(scores, key)
