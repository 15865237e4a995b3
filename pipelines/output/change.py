"""Change a finished output folder: everything new is prepared aside, then put in its place.

What is prepared lies in ``OUT/.change``. When all of it is there, ``ready.json`` says which files are moved and
removed; from then on the change is certain: whoever finds the folder, after a kill at any moment, carries out
what is left of it. Before that, nothing in the folder has been touched, and the preparation is thrown away.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import pyarrow as pa

from tacenda.pipelines.output.anonymized_folder import REVIEW, AnonymizedFolder
from tacenda.pipelines.output.cards import CARDS, cards
from tacenda.pipelines.output.conclusion import write_table
from tacenda.pipelines.output.output_folder import (
    MARKERS,
    WRITTEN_WHILE_READ,
    corpus_hashes,
    move,
    paths_in,
    remove_empty,
)
from tacenda.pipelines.output.signing import SigningKey, sign, signing_key
from tacenda.pipelines.output.verification import refuse_untrue, report_again
from tacenda.pipelines.work.receipts import CORPUS, HELD, LEASE, WORK_FOLDER
from tacenda.transforms.releasing.manifest import (
    FILES,
    FILES_FILE,
    UNITS,
    UNITS_FILE,
    corpus_entry,
    rows_entry,
    totals_entry,
)
from tacenda.transforms.releasing.report import render
from tacenda.transforms.releasing.run import Run
from tacenda.transforms.releasing.verdict import State
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage import lease as leases
from tacenda.transforms.storage.files import exists, read_bytes, remove_file, remove_folder
from tacenda.transforms.storage.publishing import publish_bytes, publish_json
from tacenda.transforms.storage.tables import read_columns

ADDING = ".adding"
"""Folder of a run that adds to the corpus, in the output folder until its files are put in their place."""

_CHANGE = ".change"
_READY = f"{_CHANGE}/ready.json"


@contextmanager
def held_alone(output: str, what: str, key: SigningKey | None) -> Iterator[None]:
    """Hold the lease on an output folder while it is changed; a change that was cut short is ended first.

    ``key`` signs the manifest of that change.

    Raises:
        UserError: a run, or another change, holds it.
    """
    try:
        lease = leases.acquire(f"{output}/{WORK_FOLDER}/{LEASE}", what, ends_with_process=True)
    except UserError as error:
        raise UserError(f"{redact_url(output)}: {error}") from None
    try:
        _settle(output, key)
        yield
    finally:
        leases.release(lease)


def is_unsettled(output: str) -> bool:
    """Whether a change of the folder was cut short after it had become certain."""
    return exists(f"{output}/{_READY}")


def aside(path: str) -> str:
    """Where a new file is prepared, by the path that it will have below the output."""
    return f"{_CHANGE}/{path}"


class Tables:
    """The tables of a manifest: a row for each file of the output, and for each work unit.

    ``moves`` collects what has to be moved, ``gone`` what has to be removed; both are paths below the output.
    """

    def __init__(self, files: Sequence[Mapping[str, Any]], units: pa.Table) -> None:
        self.files = {row["path"]: dict(row) for row in files}
        self.units = units
        self.moves: dict[str, str] = {}
        self.gone: set[str] = set()

    @classmethod
    def of(cls, output: str) -> "Tables":
        """Those of a folder."""
        files = read_columns(f"{output}/{FILES_FILE}", FILES.names).to_pylist()
        return cls(files, read_columns(f"{output}/{UNITS_FILE}", UNITS.names))

    def replace(self, path: str, part: str, told: Mapping[str, Any]) -> None:
        """A file was prepared anew: SHA-256, rows and bytes."""
        self.files[path] = {"path": path, "part": part, **told}
        self.moves[aside(path)] = path

    def remove(self, path: str) -> None:
        """A file is no longer part of the output."""
        self.files.pop(path, None)
        self.gone.add(path)

    def remove_review(self, output: str) -> None:
        """A review no longer counts; the records of the samples that were drawn stay, as they still do."""
        for path in paths_in(output, REVIEW):
            if "/draw-" not in path:
                self.remove(path)

    def place(self, held: bool, discarded: bool) -> None:
        """Put the files of the corpus where a corpus in this state lies."""
        there, target = (CORPUS, HELD) if held else (HELD, CORPUS)
        for path in [path for path in self.files if path.partition("/")[0] in (CORPUS, HELD)]:
            folder, _, name = path.partition("/")
            prepared = next((source for source, to in self.moves.items() if to == path), None)
            if held and discarded:
                self.remove(path)
                if prepared is not None:
                    del self.moves[prepared]
            elif folder == there:
                row = self.files.pop(path)
                self.files[f"{target}/{name}"] = {**row, "path": f"{target}/{name}"}
                self.moves[prepared or path] = f"{target}/{name}"
                if prepared is not None:
                    self.gone.add(path)

    def write(self, output: str) -> dict[str, Any]:
        """Prepare both tables aside; returns the manifest's entries on them and on the corpus."""
        rows = sorted(self.files.values(), key=lambda row: (row["part"], row["path"]))
        for name in (UNITS_FILE, FILES_FILE):
            self.moves[aside(name)] = name
        return {
            "units": write_table(f"{output}/{aside(UNITS_FILE)}", self.units),
            "files": write_table(f"{output}/{aside(FILES_FILE)}", pa.Table.from_pylist(rows, schema=FILES)),
            **corpus_entry(corpus_hashes({row["path"]: row for row in rows})),
        }


def judged_again(run: Run) -> tuple[dict[str, Any], dict[str, Any]]:
    """Manifest and statistics of a corpus whose conversations are no longer those of one run.

    The manifest of ``run`` is that of the corpus, but for rows, totals and verdict; its last verdict tells what
    only the first run could see.
    """
    written_while_read = (
        reason for reason in run.manifest["verdict"]["problems"] if reason.startswith(WRITTEN_WHILE_READ)
    )
    verdict = run.judge([*written_while_read, *run.problems()])
    figures = run.figures()
    manifest = {
        # Styles were compared in the corpus as it was.
        **{entry: told for entry, told in run.manifest.items() if entry != "linkability"},
        "rows": rows_entry(run.totals),
        "totals": totals_entry(run.totals),
        "identifiability": figures["identifiability"],
        "verdict": verdict.to_json(),
    }
    return manifest, figures


def change(
    folder: AnonymizedFolder,
    manifest: Mapping[str, Any],
    figures: Mapping[str, Any],
    tables: Tables,
    key: SigningKey | None,
    remove: Iterable[str] = (),
) -> None:
    """Put a corpus that was judged again in the place of the one that the folder has.

    Args:
        folder: as it is.
        manifest: the new one, but for the entries on tables and corpus.
        figures: the new statistics.
        tables: the new files and units. New files lie where ``tables.moves`` says.
        key: signs the manifest.
        remove: folders below the output that go when everything is in its place.
    """
    output = folder.output
    told = tables.write(output)
    kept = {entry: value for entry, value in manifest.items() if entry != "corpus" or entry in told}
    manifest = {**kept, **told}
    written = {"manifest.json": manifest, "statistics.json": figures}
    for name, data in written.items():
        publish_json(f"{output}/{aside(name)}", data)
    made = {
        "report.html": render(manifest, figures).encode(),
        **cards(output, manifest, figures, {target: source for source, target in tables.moves.items()}),
    }
    for name, content in made.items():
        publish_bytes(f"{output}/{aside(name)}", content)
    moves = {**tables.moves, **{aside(name): name for name in (*written, *made)}}
    gone = {*tables.gone, *(name for name in CARDS if name not in made)}
    publish_json(
        f"{output}/{_READY}",
        {
            "moves": sorted(moves.items()),
            "gone": sorted(gone - set(moves.values())),
            "marker": MARKERS[State(manifest["verdict"]["state"])],
            "verdict": manifest["verdict"],
            "folders": sorted(remove),
        },
    )
    _settle(output, key)


def _settle(output: str, key: SigningKey | None) -> None:
    """Carry out what is left of a change, or throw away what was prepared for one."""
    if is_unsettled(output):
        ready = json.loads(read_bytes(f"{output}/{_READY}"))
        for marker in MARKERS.values():
            remove_file(f"{output}/{marker}")
        for source, target in ready["moves"]:
            move(f"{output}/{source}", f"{output}/{target}")
        for path in ready["gone"]:
            remove_file(f"{output}/{path}")
        remove_empty(output, (CORPUS, HELD, REVIEW))
        for name in ready["folders"]:
            remove_folder(f"{output}/{name}")
        publish_json(f"{output}/{ready['marker']}", ready["verdict"])
        sign(output, key)
    remove_folder(f"{output}/{_CHANGE}")


def prepare_entering(
    folder: AnonymizedFolder, key_file: str | None
) -> Callable[[str, Mapping[str, Any]], None]:
    """Check that figures can be entered; call this before they are measured.

    The result writes figures as an entry of the manifest, and into the report; later ones replace earlier ones.
    It raises UserError if the folder was changed in the meantime.

    Raises:
        UserError: the folder is not what its run wrote, or it was signed and the key is missing.
    """
    key = signing_key(key_file, folder.output)
    refuse_untrue(folder)
    return partial(_enter, folder, key)


def _enter(folder: AnonymizedFolder, key: SigningKey | None, entry: str, figures: Mapping[str, Any]) -> None:
    if json.loads(read_bytes(f"{folder.output}/manifest.json")) != folder.manifest:
        raise UserError(f"{redact_url(folder.output)}: was changed while it was measured; measure it again")
    manifest = {**folder.manifest, entry: figures}
    page = report_again(folder.output, manifest)
    publish_json(f"{folder.output}/manifest.json", manifest)
    publish_bytes(f"{folder.output}/report.html", page.encode())
    sign(folder.output, key)
