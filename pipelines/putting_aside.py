"""A held corpus: its files leave the folder that says that it may be used.

An attempt that was cut off is tried again, and finds some files moved and others not.
"""

from collections.abc import Iterable
from typing import Any

from tacenda.pipelines.receipts import CORPUS, HELD, say_discarded
from tacenda.pipelines.settings import JobSettings
from tacenda.transforms.storage.files import exists, move_file, remove_empty_folder, remove_file

Files = dict[str, dict[str, Any]]


def put_aside(files: Files, job: JobSettings) -> Files:
    """Move the corpus files of a part to ``held/``, or remove them where the config asks for that.

    Returns:
        What is told of the files that are there now, by path.
    """
    told: Files = {}
    for path, file in files.items():
        folder, _, name = path.partition("/")
        if folder != CORPUS:
            told[path] = file
        elif job.held_output == "keep":
            move(f"{job.output}/{path}", f"{job.output}/{HELD}/{name}")
            told[f"{HELD}/{name}"] = file
        else:
            say_discarded(job)
            remove_file(f"{job.output}/{path}")
    return told


def corpus_hashes(files: Files) -> dict[str, str]:
    """The hashes of the files of a corpus, held or not, by name within its folder."""
    split = ((path.partition("/"), file) for path, file in files.items())
    return {name: file["sha256"] for (folder, _, name), file in split if folder in (CORPUS, HELD)}


def move(source: str, target: str) -> None:
    """Move a file, if it was not moved before."""
    if exists(source):
        move_file(source, target)


def remove_empty(output: str, folders: Iterable[str]) -> None:
    """Remove folders of which nothing is left but their name."""
    for folder in folders:
        remove_empty_folder(f"{output}/{folder}")
