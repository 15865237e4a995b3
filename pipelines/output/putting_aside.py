"""Move a held corpus out of the folder of released ones.

A retry after an interruption may find some files moved and others not.
"""

from collections.abc import Iterable
from typing import Any

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.work.receipts import CORPUS, HELD, say_discarded
from tacenda.transforms.storage.files import exists, list_folder, move_file, remove_empty_folder, remove_file

Files = dict[str, dict[str, Any]]


def put_aside(files: Files, job: JobSettings) -> Files:
    """Move the corpus files of a part to ``held/``, or remove them if the config says so.

    Returns:
        The entries of the remaining files, by path.
    """
    left: Files = {}
    for path, file in files.items():
        folder, _, name = path.partition("/")
        if folder != CORPUS:
            left[path] = file
        elif job.held_output == "keep":
            move(f"{job.output}/{path}", f"{job.output}/{HELD}/{name}")
            left[f"{HELD}/{name}"] = file
        else:
            say_discarded(job)
            remove_file(f"{job.output}/{path}")
    return left


def corpus_hashes(files: Files) -> dict[str, str]:
    """The hashes of the files of a corpus, held or not, by name within its folder."""
    split = ((path.partition("/"), file) for path, file in files.items())
    return {name: file["sha256"] for (folder, _, name), file in split if folder in (CORPUS, HELD)}


def move(source: str, target: str) -> None:
    """Move a file, unless it was moved before."""
    if exists(source):
        move_file(source, target)


def remove_empty(output: str, folders: Iterable[str]) -> None:
    """Remove those of the folders that are empty, and the folders of splits in them."""
    for folder in folders:
        for url in list_folder(f"{output}/{folder}"):
            remove_empty_folder(url.rstrip("/"))
        remove_empty_folder(f"{output}/{folder}")
