"""Dictionaries of 10^5 to 10^7 terms: what they cost to build, to load, to hold and to search, beside a Python set.

    python -m tests.benchmarks.bench_dictionaries [TERMS …]

Terms are made-up names of one to four words; one word in fifty of the text begins one. Seconds are CPU seconds of
one process; searching is the best of several. "private" is what a process has for itself alone after it searched,
beyond what it had before it loaded the dictionary; "resident" also counts the pages that it shares with others.
The set is the obvious way: terms and the lengths of what begins with each first word, in a set and a dict.
"""

import os
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from tacenda.transforms.detecting.dictionaries.loading import load
from tacenda.transforms.detecting.dictionaries.matching import FoldedCells
from tacenda.transforms.detecting.settings import WordDictionary
from tacenda.transforms.generating.sample.dialogue import conversations
from tacenda.transforms.storage.machine_cache import VARIABLE
from tacenda.transforms.text.column import TextColumn

CELLS = 4000
FIRST_WORDS = 100_000
_WORD = re.compile(r"[^\W_]+")


class SetScan:
    """Terms in a set of strings, looked up word by word."""

    def __init__(self, terms: Iterator[str]) -> None:
        self.terms: set[str] = set()
        self.longest: dict[str, int] = {}
        for term in terms:
            words = _WORD.findall(term.casefold())
            if words:
                self.terms.add(" ".join(words))
                self.longest[words[0]] = max(len(words), self.longest.get(words[0], 0))

    def find(self, texts: list[str]) -> int:
        found = 0
        for text in texts:
            spans = [(m.group(), *m.span()) for m in _WORD.finditer(text.casefold())]
            for i, (word, _, _) in enumerate(spans):
                for count in range(min(self.longest.get(word, 0), len(spans) - i), 0, -1):
                    if " ".join(w for w, _, _ in spans[i : i + count]) in self.terms:
                        found += 1
                        break
        return found


def main() -> None:
    print(
        "     terms   file MB  table MB | build s  build MB | load s | private MB: 1 process, 2 processes (each)"
        " | resident MB | MB/s | set: build s   MB    MB/s"
    )
    for count in [int(float(word)) for word in sys.argv[1:]] or [10**5, 10**6, 10**7]:
        with tempfile.TemporaryDirectory() as folder:
            os.environ[VARIABLE] = folder
            path = Path(folder) / "terms.txt"
            _write_terms(path, count)
            url = str(path)
            build_s, build_mb = _in_processes(1, partial(_build, url))[0]
            table_mb = sum(p.stat().st_size for p in Path(folder).rglob("*.terms")) / 1e6
            ((load_s, alone, resident, speed, found),) = _in_processes(1, partial(_search, url))
            both = _in_processes(2, partial(_search, url))
            set_s, set_mb, set_speed, set_found = _in_processes(1, partial(_scan, url))[0]
            assert found
            assert [row[4] for row in both] == [found, found]
            assert abs(found - set_found) < 0.02 * found, (found, set_found)
            print(
                f"{count:10,} {path.stat().st_size / 1e6:9.1f} {table_mb:9.1f} | {build_s:7.1f} {build_mb:9.0f} | "
                f"{load_s:6.3f} | {alone:11.1f} {max(row[1] for row in both):25.1f}        | "
                f"{resident:11.0f} | {speed:4.1f} | {set_s:12.1f} {set_mb:5.0f} {set_speed:6.1f}",
                flush=True,
            )


def _build(url: str, barrier: Any) -> tuple[float, float]:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    load(WordDictionary(url=url))
    seconds = time.process_time() - start
    return seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1e3


def _search(url: str, barrier: Any) -> tuple[float, float, float, float, int]:
    columns = list(_columns(url))
    FoldedCells(TextColumn(columns[0])).find(load(WordDictionary(("nobody",))))
    sha256 = next(p.name for p in Path(os.environ[VARIABLE]).rglob("terms-*"))[6:70]
    before = psutil.Process().memory_full_info()
    start = time.process_time()
    table = load(WordDictionary(url=url, sha256=sha256))
    load_s = time.process_time() - start
    speed, found = _speed(columns, lambda texts: len(FoldedCells(TextColumn(texts)).find(table)[0]))
    barrier.wait()
    after = psutil.Process().memory_full_info()
    private, resident = (after.uss - before.uss) / 1e6, (after.rss - before.rss) / 1e6
    # USS counts pages of a file as private while nobody else maps it; they are the page cache's all the same.
    mapped = sum(
        m.private_clean / 1e6 for m in psutil.Process().memory_maps(grouped=True) if ".terms" in m.path
    )
    barrier.wait()
    return load_s, private - mapped, resident, speed, found


def _scan(url: str, barrier: Any) -> tuple[float, float, float, int]:
    columns = list(_columns(url))
    before = psutil.Process().memory_full_info().uss
    start = time.process_time()
    with open(url, encoding="utf-8") as lines:
        scan = SetScan(lines)
    seconds = time.process_time() - start
    memory = (psutil.Process().memory_full_info().uss - before) / 1e6
    return seconds, memory, *_speed(columns, scan.find)


def _speed(columns: list[list[str]], find: Callable[[list[str]], int]) -> tuple[float, int]:
    size = sum(len(text.encode()) for texts in columns for text in texts)
    best, found = float("inf"), 0
    for _ in range(3):
        start = time.process_time()
        found = sum(map(find, columns))
        best = min(best, time.process_time() - start)
    return size / best / 1e6, found


def _in_processes(count: int, work: Callable[..., Any]) -> list[Any]:
    context = get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(count, mp_context=context) as pool:
        barrier = manager.Barrier(count)
        return [future.result() for future in [pool.submit(work, barrier=barrier) for _ in range(count)]]


def _write_terms(path: Path, count: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for first in range(0, count, 1 << 16):
            file.write("\n".join(_terms(first, min(count, first + (1 << 16)))) + "\n")


def _terms(first: int, last: int) -> Iterator[str]:
    draw = np.random.default_rng(first)
    size = last - first
    words = [_name(n) for n in draw.integers(0, FIRST_WORDS, size).tolist()]
    more = [_name(n) for n in draw.integers(0, 1 << 30, size).tolist()]
    for word, other, kind in zip(words, more, draw.integers(0, 10, size).tolist(), strict=True):
        if kind == 0:
            yield other
        elif kind == 1:
            yield f"{word} de la {other}"
        else:
            yield f"{word} {other}"


def _name(number: int) -> str:
    syllables = []
    while number or not syllables:
        number, digit = divmod(number, 75)
        syllables.append("bcdfghjklmnprst"[digit % 15] + "aeiou"[digit // 15])
    return "".join(syllables).capitalize()


def _columns(url: str) -> Iterator[list[str]]:
    with open(url, encoding="utf-8") as lines:
        terms = [line.strip() for _, line in zip(range(5000), lines, strict=False)]
    texts: list[str] = []
    words = 0
    for conversation in conversations(1, 0, 700):
        for turn in conversation["turns"]:
            words += len(turn["text"].split())
            texts.append(turn["text"])
            if words > 50:
                texts[-1] += f" {terms[len(texts) % len(terms)]}."
                words = 0
        if len(texts) >= CELLS:
            yield texts
            texts = []
    yield texts


if __name__ == "__main__":
    main()
