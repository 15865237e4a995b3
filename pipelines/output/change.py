"""Change a finished output folder: everything new is prepared aside, then put in its place.

What is prepared lies in ``OUT/.change``. When all of it is there, ``ready.json`` says which files are moved and
removed; from then on the change is certain: whoever finds the folder, after a kill at any moment, carries out
what is left of it. Before that, nothing in the folder has been touched, and the preparation is thrown away.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from typing import Any, Literal

import pyarrow as pa

from tacenda.pipelines.output.anonymized_folder import NO_RUN, REVIEW, AnonymizedFolder, open_folder
from tacenda.pipelines.output.conclusion import documents, write_table
from tacenda.pipelines.output.output_folder import (
    CARDS,
    CHANGE,
    DRAW,
    MARKERS,
    PART,
    READY,
    WRITTEN,
    corpus_hashes,
    files_named,
    is_unsettled,
    move,
    paths_in,
    read_json,
    remove_empty,
)
from tacenda.pipelines.output.signing import HISTORY_FILE, SigningKey, signed_history, signing_key
from tacenda.pipelines.output.verification import recounted, refuse_untrue, run_in
from tacenda.pipelines.work.leasing import told_of
from tacenda.pipelines.work.receipts import CORPUS, HELD, LEASE, WORK_FOLDER
from tacenda.transforms.releasing.criterion import State
from tacenda.transforms.releasing.manifest import (
    FILES,
    FILES_FILE,
    UNITS,
    UNITS_FILE,
    corpus_entry,
    counts_entries,
    with_change,
)
from tacenda.transforms.releasing.recount import Recount
from tacenda.transforms.releasing.run import Run, totals_of
from tacenda.transforms.releasing.verdict import judge, meets_gate
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage import lease as leases
from tacenda.transforms.storage.files import exists, read_bytes, remove_file, remove_folder
from tacenda.transforms.storage.publishing import json_bytes, publish_bytes
from tacenda.transforms.storage.tables import read_columns

ADDING = ".adding"
"""Folder of a run that adds to the corpus, in the output folder until its files are put in their place."""

_NAMES = "|".join((PART.pattern, DRAW.pattern, HISTORY_FILE, *WRITTEN))
_OURS = re.compile(rf"(?:(?:{CHANGE}|{ADDING})/)?(?:{_NAMES})")
"""Paths of files that changes move or remove."""


@contextmanager
def held_alone(output: str, what: str) -> Iterator[AnonymizedFolder]:
    """Hold the lease on an output folder while it is changed; a change that was cut short is ended first.

    Yields the folder as it is then.

    Raises:
        UserError: no run ended there; or a run, or another change, holds it.
        LeaseLostError: another run took the folder over before the change was certain.
    """
    with told_of(redact_url(output)):
        if not exists(f"{output}/manifest.json"):
            raise UserError(NO_RUN)
        lease = leases.acquire(f"{output}/{WORK_FOLDER}/{LEASE}", what, ends_with_process=True)
    with leases.kept(lease):
        if is_unsettled(output):
            _settle(output)
        folder = open_folder(output, lease)
        remove_folder(f"{output}/{CHANGE}")
        yield folder


class Change:
    """What a folder is to become; all paths are below the output.

    Attributes:
        manifest: the new one, but for what follows from the figures.
        totals: the counts of all conversations.
        files: the rows of the manifest's table of files, by path.
        units: the table of units.
        moves: where each new file lies, and where it goes.
        gone: the files to remove.
    """

    def __init__(self, folder: AnonymizedFolder) -> None:
        self.folder, self.output = folder, folder.output
        self.manifest: dict[str, Any] = deepcopy(folder.manifest)
        self.totals: Totals = totals_of(self.manifest)
        self.files = files_named(folder.output)
        self.units = read_columns(f"{folder.output}/{UNITS_FILE}", UNITS.names)
        self.moves: dict[str, str] = {}
        self.gone: set[str] = set()

    def aside(self, path: str) -> str:
        """The URL at which a new file is prepared, by the path that it will have."""
        leases.check(self.folder.lease)
        return f"{self.output}/{CHANGE}/{path}"

    def table(self, name: str, table: pa.Table) -> dict[str, Any]:
        """Prepare a table of the manifest; returns its entry there."""
        self.moves[f"{CHANGE}/{name}"] = name
        return write_table(self.aside(name), table)

    def _write(self, name: str, content: bytes) -> None:
        self.moves[f"{CHANGE}/{name}"] = name
        publish_bytes(self.aside(name), content)

    def replace(self, path: str, part: str, told: Mapping[str, Any]) -> None:
        """A file was prepared anew: SHA-256, rows and bytes."""
        self.files[path] = {"path": path, "part": part, **told}
        self.moves[f"{CHANGE}/{path}"] = path

    def remove(self, path: str) -> None:
        """A file is no longer part of the output."""
        self.files.pop(path, None)
        self.gone.add(path)

    def remove_review(self) -> None:
        """A review no longer counts; the records of the samples that were drawn stay, as they still do."""
        for path in paths_in(self.output, REVIEW):
            if "/draw-" not in path:
                self.remove(path)

    def record(self, kind: Literal["added", "erased"], told: Mapping[str, Any], taken_off: bool) -> None:
        """Enter that the corpus has other conversations, and whether a review of it is ``taken_off``; styles
        were compared in the corpus as it was.
        """
        self.manifest.pop("linkability", None)
        before = meets_gate(run_in(self.output, self.folder.manifest))
        told = {**told, "review_taken_off": taken_off, "criterion_met_before": before}
        self.manifest = with_change(self.manifest, read_bytes(f"{self.output}/manifest.json"), kind, told)

    def urls(self, folder: str) -> list[str]:
        """Where the files lie that a folder will have, in order."""
        lie = {target: source for source, target in self.moves.items()}
        paths = sorted(path for path in self.files if path.startswith(f"{folder}/"))
        return [f"{self.output}/{lie.get(path, path)}" for path in paths]

    def scores(self, without: Collection[str | None] = ()) -> Recount:
        """The scores of the corpus and of a review as they will be; unread conversations are those of the
        folder's statistics, but for the sources ``without``.
        """
        of_review = self.urls(REVIEW) if "review" in self.manifest else ()
        return recounted(self.output, self.urls("risk"), of_review, without)

    def carry_out(self, scores: Recount, key: SigningKey | None) -> dict[str, Any]:
        """Judge the corpus as it will be, prepare all that follows, and put everything in its place.

        ``scores`` are those of the corpus and its review, ``key`` signs the manifest. Returns the verdict.
        """
        self.manifest |= counts_entries(self.totals)
        run = Run(self.manifest, scores)
        figures, verdict = run.figures(), judge(run)
        self._place(verdict["state"] == State.HELD.value)
        rows = sorted(self.files.values(), key=lambda row: (row["part"], row["path"]))
        if not (hashes := corpus_hashes(self.files)):
            self.manifest.pop("corpus", None)
        self.manifest |= {
            "verdict": verdict,
            "worst": scores.sketch.worst_to_json(),
            "identifiability": figures["identifiability"],
            "units": self.table(UNITS_FILE, self.units),
            "files": self.table(FILES_FILE, pa.Table.from_pylist(rows, schema=FILES)),
            **corpus_entry(hashes),
        }
        for name, content in documents(self.manifest, figures).items():
            self._write(name, content)
        # Signed here, and not by whoever carries it out: that would sign what anybody has put there.
        if history := signed_history(self.output, key, self.aside("manifest.json")):
            self._write(HISTORY_FILE, history)
        gone = {*self.gone, *CARDS} - set(self.moves.values())
        leases.check(self.folder.lease)
        ready = {"moves": dict(sorted(self.moves.items())), "gone": sorted(gone)}
        publish_bytes(f"{self.output}/{READY}", json_bytes(ready))
        _settle(self.output)
        return verdict

    def _place(self, held: bool) -> None:
        """Put the files of the corpus where a corpus in this state lies."""
        there, target = (CORPUS, HELD) if held else (HELD, CORPUS)
        prepared = {path: source for source, path in self.moves.items()}
        for path in [path for path in self.files if path.partition("/")[0] in (CORPUS, HELD)]:
            folder, _, name = path.partition("/")
            if folder == there:
                moved = f"{target}/{name}"
                self.files[moved] = {**self.files.pop(path), "path": moved}
                self.moves[prepared.get(path, path)] = moved
                self.gone |= {path} & prepared.keys()


def _settle(output: str) -> None:
    """Carry out what is left of a change that is certain."""
    ready: Any = read_json(output, READY) or {}
    moves, gone, place = ready.get("moves"), ready.get("gone"), redact_url(f"{output}/{READY}")
    paths = [*moves, *moves.values(), *gone] if isinstance(moves, dict) and isinstance(gone, list) else [None]
    if not all(isinstance(path, str) and _OURS.fullmatch(path) for path in paths):
        raise UserError(f"{place}: is damaged, or of no change; remove it, and let 'tacenda verify' say more")
    for marker in MARKERS.values():
        remove_file(f"{output}/{marker}")
    for source, target in moves.items():
        move(f"{output}/{source}", f"{output}/{target}")
    for path in gone:
        remove_file(f"{output}/{path}")
    remove_empty(output, (CORPUS, HELD, REVIEW))
    if any(source.startswith(ADDING) for source in moves):
        remove_folder(f"{output}/{ADDING}")
    verdict = (read_json(output, "manifest.json") or {})["verdict"]
    publish_bytes(f"{output}/{MARKERS[State(verdict['state'])]}", json_bytes(verdict))
    remove_folder(f"{output}/{CHANGE}")


def open_settled(output: str) -> AnonymizedFolder:
    """Open a folder; a change that was cut short is ended first, whichever command began it."""
    if is_unsettled(output):
        with held_alone(output, "the end of a change"):
            pass
    return open_folder(output)


def open_to_enter(
    output: str, key_file: str | None
) -> tuple[AnonymizedFolder, Callable[[str, Mapping[str, Any]], None]]:
    """Open a folder and check that figures can be entered; call this before they are measured.

    What comes with it writes figures as an entry of the manifest, and into the report; later ones replace
    earlier ones. It raises UserError if the folder was changed in the meantime.

    Raises:
        UserError: the folder is not what its run wrote, or it was signed and the key is missing.
    """
    key = signing_key(key_file, output)
    folder = open_settled(output)
    refuse_untrue(folder)
    return folder, partial(_enter, folder, key)


def _enter(folder: AnonymizedFolder, key: SigningKey | None, entry: str, figures: Mapping[str, Any]) -> None:
    with held_alone(folder.output, f"entering {entry}") as now:
        if now.manifest != folder.manifest:
            raise UserError(f"{redact_url(now.output)}: was changed while it was measured; measure it again")
        change = Change(now)
        change.manifest[entry] = figures
        change.carry_out(change.scores(), key)
