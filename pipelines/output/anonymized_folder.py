"""Read an output folder of ``tacenda anonymize``: its manifest, text hashes and conversations.

Samples of an output folder for people to read: their looks at it, conversations, and everything written.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

from tacenda.pipelines.config.output import LABEL_FIELDS
from tacenda.pipelines.output.output_folder import (
    CUT_SHORT,
    files_named,
    is_unsettled,
    parts_of,
    paths_in,
    read_json,
    state_there,
)
from tacenda.pipelines.work.leasing import told_of
from tacenda.pipelines.work.plan import make_plan
from tacenda.pipelines.work.receipts import CORPUS, HELD, LEASE, WORK_FOLDER, begun_runs
from tacenda.transforms.releasing.criterion import RULE, State
from tacenda.transforms.reviewing.drawing import Hashed, Sample, draw
from tacenda.transforms.reviewing.marks import Talk
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.shapes.labels import is_plainly_random
from tacenda.transforms.shapes.mapping import mapping_from
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.shape import Reading, Shape
from tacenda.transforms.storage.files import exists, list_folder
from tacenda.transforms.storage.lease import Lease, refuse_held
from tacenda.transforms.storage.publishing import json_bytes, publish_bytes
from tacenda.transforms.storage.tables import read_columns
from tacenda.transforms.writing.columns import LONGEST_TURN, batch_hashes, text_hash

REVIEW = "review"
"""Folder of the output with the drawn samples and the reviewers' findings."""

RISK_FILE = f"{REVIEW}/part-00000.parquet"
"""Risk records of the review on which the verdict is based."""

NO_RUN = "no finished run; name the output folder of 'tacenda anonymize'"

BESIDE = "(written beside the text)"
"""The speaker of the turn in which readers see what a record holds beside its texts."""

_SAYS_NOTHING = {"", "function", "text", "image_url", "json_schema", "object"}
_SAYS_NOTHING |= {"string", "number", "integer", "boolean", "array"}
"""Values of formats, which are alike in all records."""

_COUNT = 4
"""Most digits of a number that counts, such as that of a turn."""


_KINDS = (int, int, int, str, list)
"""Of the values in the record of a look."""


class Look(NamedTuple):
    """A sample that was drawn of a corpus; the looks of one corpus contain each other.

    ``planted`` are the leaks planted to measure readers, by ``conversation_id``; when pages have been taken
    back, each has whether it was ``caught`` by who read it first, None if nobody did.
    """

    number: int
    read: int
    least: int
    corpus: str
    planted: tuple[dict[str, Any], ...] = ()

    @property
    def caught(self) -> int | None:
        """How many planted leaks readers marked; None until pages have been taken back."""
        told = [one["caught"] for one in self.planted if "caught" in one]
        return sum(map(bool, told)) if told else None

    @property
    def path(self) -> str:
        """Where its record lies in the folder."""
        return f"{REVIEW}/draw-{self.corpus[:16]}-{self.number}.json"

    def sample(self, known: Iterable[Hashed]) -> Sample:
        """The conversations of this look; ``known`` are those of the corpus."""
        return draw(known, self.corpus, self.read, self.least)


@dataclass(frozen=True, slots=True)
class AnonymizedFolder:
    """The folder, its manifest, the state of its run and our lease; its looks, conversations and scores."""

    output: str
    manifest: dict[str, Any]
    state: State
    lease: Lease | None = None

    def hashed(self) -> Iterator[Hashed]:
        """The text hashes of all conversations, in the order of the corpus."""
        for url in list_folder(f"{self.output}/hashes"):
            table = read_columns(url, list(Hashed._fields))
            columns = (table[name].to_pylist() for name in Hashed._fields)
            yield from map(Hashed._make, zip(*columns, strict=True))

    def readings(self) -> tuple[Shape, Iterator[Reading]]:
        """The anonymised conversations, including held ones, and their shape."""
        paths = (path for path in files_named(self.output) if path.partition("/")[0] in (CORPUS, HELD))
        plan = make_plan([f"{self.output}/{path}" for path in paths], self.options())
        return plan.shape, plan.readings()

    def options(self) -> ReadOptions:
        """How the conversations are read."""
        written = self.manifest["written"]
        if written["converted"]:
            return ReadOptions(written["shape"], max_turn_chars=LONGEST_TURN)
        return self.reading()

    def reading(self) -> ReadOptions:
        """How the input is read, whose records neutral ids are digests of."""
        shape, told, run = self.manifest["shape"], self.manifest["fields"], self.manifest["run"]
        return ReadOptions(
            shape,
            max_turn_chars=LONGEST_TURN,
            fields=run["fields"],
            keep=(*told["kept"], *(name for name in told["opaque"] if name not in LABEL_FIELDS)),
            opaque=told["opaque"],
            mapping=mapping_from(run["mapping"], shape, "manifest") if "mapping" in run else None,
        )

    @property
    def seed(self) -> str:
        """The seed of every sample of the corpus: its hash, which nobody chooses."""
        return str(self.manifest["corpus"]["sha256"])

    @property
    def score_table(self) -> ScoreTable:
        """That of the config."""
        risk = self.manifest["config"]["risk"]
        return ScoreTable.load(risk["preset"], risk["overrides"], risk["labels"])

    def looks(self, corpus: str = "") -> list[Look]:
        """The looks at the corpus as it is, or as it was when it had a hash, in order."""
        looks = (look for look in self.draws() if look.corpus == (corpus or self.seed))
        return sorted(looks, key=lambda look: look.number)

    def samples_unused(self, reviewed: Collection[str]) -> int:
        """How often the corpus was sampled, and got other conversations before any review of that sample.

        ``reviewed`` are the hashes that it had when it was judged by a review.
        """
        return len({look.corpus for look in self.draws()} - {*reviewed, self.seed})

    def draws(self) -> Iterator[Look]:
        """The records of all looks at the corpus, as it is and as it was."""
        for path in paths_in(self.output, REVIEW):
            if "/draw-" in path:
                if (look := look_in(self.output, path)) is None:
                    shown = redact_url(f"{self.output}/{path}")
                    raise UserError(f"{shown}: the record of a drawn sample is damaged; restore it")
                yield look

    def record(self, look: Look) -> None:
        """Write the record of a look into the folder."""
        publish_bytes(f"{self.output}/{look.path}", json_bytes(look._asdict()))

    def scores(self) -> dict[str, int]:
        """The scores of the run by conversation, the highest of all sources; those of 0 are left out."""
        scores: dict[str, int] = {}
        for url in parts_of(self.output, "risk"):
            for row in read_columns(url, ["conversation_id", "score"]).to_pylist():
                scores[row["conversation_id"]] = max(row["score"], scores.get(row["conversation_id"], 0))
        return {name: score for name, score in scores.items() if score}

    def predictions(self, wanted: Collection[str]) -> dict[str, str]:
        """What the run says of some conversations, in words, by id."""
        told: dict[str, str] = {}
        for url in parts_of(self.output, "risk"):
            for row in read_columns(url, ["conversation_id", "source", "score", "tags"]).to_pylist():
                if row["conversation_id"] in wanted and row["source"] == "model":
                    tags = ", ".join(tag["tag"] + " in part" * tag["partial"] for tag in row["tags"])
                    points = f"Suspected: {row['score']} points"
                    told[row["conversation_id"]] = f"{points} ({tags})" if tags else points
        return told

    def talks(self, drawn: Sequence[Hashed]) -> list[Talk]:
        """Drawn conversations as readers see them: each cell as a turn, and what is written beside as one more.

        The hash of a talk is that of its turns; ``plain_hash`` is that of the text alone.

        Raises:
            UserError: the corpus has other texts than when it was written.
        """
        wanted: dict[str, list[Hashed]] = {}
        for one in drawn:
            wanted.setdefault(one.text_hash, []).append(one)
        talks: dict[Hashed, Talk] = {}
        shape, readings = self.readings()
        for batch, _ in readings:
            hashes = batch_hashes(batch, batch.texts, batch.speakers)
            here = [i for i, one in enumerate(hashes) if one in wanted]
            if not here:
                continue
            left = batch.without(set(range(len(batch))) - set(here))
            records = shape.write_records(left, left.texts, left.speakers)
            starts = [0, *accumulate(left.rows)]
            for k, i in enumerate(here):
                cells = left.cells(k)
                turns = tuple((left.speakers[cell], left.texts[cell]) for cell in cells)
                for one in wanted.pop(hashes[i], ()):
                    beside = "\n".join(_beside(records[starts[k] : starts[k + 1]], turns, one))
                    shown = (*turns, (BESIDE, beside)) if beside else turns
                    hashed = text_hash([speaker for speaker, _ in shown], [text for _, text in shown])
                    talks[one] = Talk(one.conversation_id, one.context, hashed, shown, one.text_hash)
        if wanted:
            raise UserError(
                f"{redact_url(self.output)}: {len(wanted)} texts of the corpus were changed; 'tacenda verify' "
                "has the details"
            )
        return [talks[one] for one in drawn]


def open_folder(output: str, lease: Lease | None = None) -> AnonymizedFolder:
    """Open the output folder of a finished run, on which nobody has a lease but this process.

    Raises:
        UserError: there is no run, it did not finish, or it was another command's.
    """

    def refuse(why: str) -> UserError:
        return UserError(f"{redact_url(output)}: {why}")

    if is_unsettled(output):
        raise refuse(CUT_SHORT)
    state = state_there(output)
    if not exists(f"{output}/manifest.json") or state is None or begun_runs(output):
        raise refuse(NO_RUN)
    if lease is None:
        with told_of(redact_url(output)):
            refuse_held(f"{output}/{WORK_FOLDER}/{LEASE}")
    manifest = read_json(output, "manifest.json") or {}
    folder = AnonymizedFolder(output, manifest, state, lease)
    try:
        if (command := manifest["command"]) != "anonymize":
            raise refuse(f"written by 'tacenda {command}'; only 'tacenda anonymize' writes a corpus")
        if manifest["verdict"].get("rule") != RULE:
            raise refuse("was judged by the rule of an earlier version; run it again with --overwrite")
        if "written" not in manifest or not list_folder(f"{output}/hashes"):
            raise refuse("has no text hashes to match a review with; run it again")
        # What is used of it before anything is verified.
        _ = folder.options(), folder.reading(), folder.score_table, folder.seed
        float(manifest["config"]["risk"]["direct_identifiers_at_most"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise refuse("its manifest is damaged or from another version; run it again") from None
    return folder


def look_in(output: str, path: str) -> Look | None:
    """The look of a record in a folder; None if the record is damaged, or of a look that has another place."""
    record = read_json(output, path) or {}
    if record.keys() != {*Look._fields} or any(
        type(record[name]) is not kind for name, kind in zip(Look._fields, _KINDS, strict=True)
    ):
        return None
    look = Look(**{**record, "planted": tuple(record["planted"])})
    ids = (isinstance(one, dict) and isinstance(one.get("conversation_id"), str) for one in look.planted)
    return look if path == look.path and min(look.number, look.read, look.least) > 0 and all(ids) else None


def _beside(
    records: Sequence[Mapping[str, Any]], turns: Sequence[tuple[str | None, str]], one: Hashed
) -> list[str]:
    """Every value of a record, and every key that is no field's name, that is not a turn; as ``path:
    value``.
    """
    shown = {text for turn in turns for text in turn if text}
    known = {*shown, one.conversation_id, one.context, *_SAYS_NOTHING}
    lines = [
        f"{path}: {value}"
        for record in records
        for path, value in _leaves(record)
        if value not in known and not (value.isdigit() and len(value) <= _COUNT)
    ]
    lines = list(dict.fromkeys(lines))
    if not is_plainly_random(one.conversation_id) or lines:
        lines.insert(0, f"id: {one.conversation_id}")
        if one.context:
            lines.insert(1, f"context: {one.context}")
    return lines


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _leaves(inner, path)
    elif value is not None and not isinstance(value, bool):
        yield path, str(value)
