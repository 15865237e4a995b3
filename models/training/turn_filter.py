"""Train a turn filter (``token_classifier.turn_filter``) on a network's own output.

No gold is needed. The limit is chosen by cross-validation over makers of text: each maker's text is scored
with words and weights learnt without it, and the highest limit is taken that loses few of the network's
findings, over all makers and for each of them.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import yaml
from tokenizers import Tokenizer

from tacenda.models.token_classifier.decoding import verdicts
from tacenda.models.token_classifier.loading import embedded_path, loaded
from tacenda.models.token_classifier.package import Package, file_sha256
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.models.token_classifier.token_columns import TokenColumns
from tacenda.models.token_classifier.turn_filter import (
    BUCKETS_LOG2,
    N_GRAMS,
    TurnFilter,
    n_grams,
    words,
)
from tacenda.models.training.card import FILTER_REPORT, write_card
from tacenda.models.training.corpora import in_parts, read_gold
from tacenda.models.training.splitting import words_of
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]
Int8s = npt.NDArray[np.int8]
Ints = npt.NDArray[np.int64]


class Judged(NamedTuple):
    """Text of one maker with the network's output.

    ``likelihoods`` has a ``Likelihood`` for each token, 0 if not even a second look would find it.
    """

    maker: str
    encoded: TokenColumns
    likelihoods: Int8s


class Vocabulary(NamedTuple):
    """Which tokens of a tokenizer have no letters or digits, and which have Latin letters only."""

    punctuation: Bools
    latin: Bools


USES = ("training", "calibration", "turn_filter", "thresholds", "measuring")


@dataclass(frozen=True, slots=True)
class Source:
    """Licence of a file, and the ``USES`` that may be made of it."""

    licence: str
    uses: frozenset[str]


@lru_cache(maxsize=1)
def sources() -> Mapping[str, Source]:
    """The list, by file name."""
    listed = yaml.safe_load(files(__package__).joinpath("sources.yaml").read_text("utf-8"))["files"]
    return {name: Source(one["licence"], frozenset(one["uses"])) for name, one in listed.items()}


def refuse_unlisted(package: Path, paths: Sequence[Path], use: str) -> None:
    """Reject files that are not listed for a use, if the package is the embedded one; others may use any.

    Raises:
        UserError: there are such files; it names one.
    """
    if package.resolve() != embedded_path().resolve():
        return
    for path in paths:
        if use not in getattr(sources().get(path.name), "uses", ()):
            raise UserError(
                f"{path.name}: not listed for {use.replace('_', ' ')} of the embedded model; "
                "see models/training/sources.yaml"
            )


def describe_filter(folder: Path, report: Mapping[str, Any], read: Mapping[Path, int]) -> None:
    """Write the report and regenerate the card.

    Args:
        folder: folder of the package.
        report: the report of ``turn_filter.learn_turn_filter``.
        read: number of conversations used, by file.
    """
    makers = {
        maker: {
            "tokens": one["tokens"],
            "share_skipped": round(one["skipped"] / max(one["tokens"], 1), 3),
            "findings": one["findings"],
            "lost": one["lost"],
        }
        for maker, one in report["makers_left_out"].items()
    }
    files = [
        {"file": path.name, "sha256": file_sha256(path), "conversations": count}
        for path, count in read.items()
    ]
    written = {**report, "makers_left_out": makers, "read": files}
    (folder / FILTER_REPORT).write_text(json.dumps(written, indent=1) + "\n", "utf-8")
    write_card(folder)


_CHARACTERS_AT_ONCE = 1 << 18
_LATIN_ENDS = 0x250
"""The first code point after the Latin letters."""


def judged_text(
    package: Package, paths: Sequence[Path], characters: int
) -> Iterator[tuple[Path, int, Judged]]:
    """Label a sample of each file with the network; yields the file, a number of conversations and their
    labels.

    The sample has about ``characters`` code points per file, drawn by a hash of the conversation's text. The
    maker is the first word of the file's name. Gold spans are not used.

    Raises:
        UserError: a file cannot be read, or the package cannot be loaded.
    """
    settings = ModelSettings(str(package.path), package.fingerprint, package.decision)
    network = loaded(settings)
    asked = package.decision.info_types(c for c in network.classes if c not in package.unreported)
    for path in paths:
        for records in in_parts(_drawn(list(read_gold([path])), characters), _CHARACTERS_AT_ONCE):
            texts = [turn["text"] for record in records for turn in record["turns"]]
            first_cell = np.cumsum([0, *(len(record["turns"]) for record in records)])
            scored = network.scorer.score(TextColumn(texts, first_cell.tolist()).readable)
            said = verdicts(scored.probabilities, network.classes, package.decision, asked)
            judged = Judged(maker_of(path), scored.encoded, said.likelihoods.astype(np.int8))
            yield path, len(records), judged


def maker_of(path: Path) -> str:
    """The maker of a file's text, which is the first word of the file's name."""
    return path.name.partition(".")[0].partition("-")[0]


def vocabulary_of(tokenizer: Path) -> Vocabulary:
    """Classify the tokens of a tokenizer's vocabulary."""
    read = Tokenizer.from_file(str(tokenizer))
    tokens = [read.id_to_token(i) or "" for i in range(read.get_vocab_size())]
    special = {token.content for token in read.get_added_tokens_decoder().values()}
    plain = [token.removeprefix("##") for token in tokens]
    punctuation = [not any(map(str.isalnum, token)) for token in plain]
    latin = [
        token not in special and all(c.isalpha() and ord(c) < _LATIN_ENDS for c in letters)
        for token, letters in zip(tokens, plain, strict=True)
    ]
    return Vocabulary(np.array(punctuation, np.bool_), np.array(latin, np.bool_))


def _drawn(records: Sequence[Mapping[str, Any]], characters: int) -> Iterator[Mapping[str, Any]]:
    for record in sorted(records, key=lambda record: words_of(dict(record))):
        if characters <= 0:
            return
        characters -= sum(len(turn["text"]) for turn in record["turns"])
        yield record


Hashes = npt.NDArray[np.uint64]

LOST, LOST_OF_ANY = 0.0005, 0.002
"""Shares of a network's findings that skipping may lose in text of held-out makers: over all, and for each."""

_FOLDS = 8
_LEAST_SEEN = 10
"""Fewest occurrences of a listed word."""

_OF_INTEREST_AT_MOST = 0.3
"""Largest share of a listed word's occurrences that may be of interest to the network."""

_LIMITS = np.arange(-8, 2.01, 0.25, dtype=np.float32)
_ROUNDS, _STEP, _LEARNING_RATE = 3, 65536, 0.3
_BEGIN = -3.0
"""Intercept of the score, fixed: most tokens are of no interest."""


def learn_turn_filter(
    several: Sequence[Judged], vocabulary: Vocabulary, network: str
) -> tuple[TurnFilter, dict[str, Any]]:
    """Train a filter; also returns a report: the limit, and what it skips and loses of held-out makers.

    Args:
        several: labelled text; several parts may have the same maker.
        vocabulary: vocabulary of the tokenizer.
        network: fingerprint of the network (``package.Package.network``).
    """
    texts = [_text(one, vocabulary) for one in several]
    left_out: dict[str, _Losses] = {}
    for fold in _folds(several):
        rest = [text for text, one in zip(texts, several, strict=True) if one.maker not in fold]
        if rest:
            learnt = _learnt(rest, vocabulary, network)
            for one in several:
                if one.maker in fold:
                    left_out[one.maker] = left_out.get(one.maker, _NOTHING).plus(_losses(one, learnt))
    limit = _limit(left_out.values())
    chosen = replace(_learnt(texts, vocabulary, network), limit=float(_LIMITS[limit]))
    told = {maker: losses.to_dict(limit) for maker, losses in sorted(left_out.items())}
    return chosen, {
        "limit": chosen.limit,
        "words": len(chosen.words),
        "lost": LOST,
        "lost_of_any": LOST_OF_ANY,
        "makers_left_out": told,
    }


class _Text(NamedTuple):
    """Training data: buckets and labels of tokens, hashes and labels of words that may be listed."""

    buckets: npt.NDArray[np.int32]
    of_interest: Bools
    words: Hashes
    words_of_interest: Bools


def _text(one: Judged, vocabulary: Vocabulary) -> _Text:
    of_interest = one.likelihoods > 0
    begins, hashes = words(one.encoded, vocabulary.punctuation)
    if not len(begins):
        return _Text(n_grams(one.encoded), of_interest, hashes, of_interest)
    ids = one.encoded.ids
    listed = np.logical_and.reduceat(vocabulary.latin[ids] | vocabulary.punctuation[ids], begins)
    found = np.logical_or.reduceat(of_interest, begins)
    return _Text(n_grams(one.encoded), of_interest, hashes[listed], found[listed])


def _folds(several: Sequence[Judged]) -> list[set[str]]:
    """Split makers into folds with about the same number of tokens."""
    sizes: Counter[str] = Counter()
    for one in several:
        sizes[one.maker] += len(one.encoded.ids)
    folds: list[tuple[int, set[str]]] = [(0, set()) for _ in range(min(_FOLDS, len(sizes)))]
    for maker, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        least = min(range(len(folds)), key=lambda i: folds[i][0])
        folds[least] = folds[least][0] + size, folds[least][1] | {maker}
    return [makers for _, makers in folds]


def _learnt(texts: Sequence[_Text], vocabulary: Vocabulary, network: str) -> TurnFilter:
    """Train words and weights; the limit is 0, where both classes are equally likely."""
    hashes, which, seen = np.unique(
        np.concatenate([text.words for text in texts]), return_inverse=True, return_counts=True
    )
    found = np.bincount(which, np.concatenate([text.words_of_interest for text in texts]), len(hashes))
    harmless = hashes[(seen >= _LEAST_SEEN) & (found <= _OF_INTEREST_AT_MOST * seen)]
    weights, constant = _weights(
        np.concatenate([text.buckets for text in texts]), np.concatenate([text.of_interest for text in texts])
    )
    # Distribute the intercept over the n-grams: every token has one of each.
    weights += constant / len(N_GRAMS)
    scale = float(np.abs(weights).max()) / np.iinfo(np.int8).max
    return TurnFilter(
        harmless, np.rint(weights / scale).astype(np.int8), scale, 0.0, vocabulary.punctuation, network
    )


def _weights(buckets: npt.NDArray[np.int32], of_interest: Bools) -> tuple[Floats, float]:
    """Logistic regression by AdaGrad (Duchi et al., JMLR 2011) with a fixed intercept."""
    rng = np.random.Generator(np.random.PCG64(0))
    weights = np.zeros(1 << BUCKETS_LOG2, np.float32)
    squares = np.full(len(weights), 1e-4, np.float32)
    count, width = buckets.shape
    for number in range(_ROUNDS):
        order = rng.permutation(count)
        for begin in range(0, count, _STEP):
            some = order[begin : begin + _STEP]
            chosen = buckets[some]
            raised = weights[chosen].sum(axis=1) + np.float32(_BEGIN)
            wrong = 1 / (1 + np.exp(-raised)) - of_interest[some]
            slope = np.bincount(chosen.ravel(), np.repeat(wrong, width), len(weights)).astype(np.float32) / 16
            squares += slope * slope
            weights -= np.float32(_LEARNING_RATE * (1 - number / _ROUNDS)) * slope / np.sqrt(squares)
    return weights, _BEGIN


class _Losses(NamedTuple):
    """Tokens and findings of some text, and at each limit those in harmless turns."""

    tokens: int
    findings: int
    skipped: Ints
    lost: Ints

    def plus(self, other: "_Losses") -> "_Losses":
        return _Losses(
            self.tokens + other.tokens,
            self.findings + other.findings,
            self.skipped + other.skipped,
            self.lost + other.lost,
        )

    def to_dict(self, limit: int) -> dict[str, Any]:
        return {
            "tokens": self.tokens,
            "skipped": int(self.skipped[limit]),
            "findings": self.findings,
            "lost": int(self.lost[limit]),
        }


_NOTHING = _Losses(0, 0, np.zeros(len(_LIMITS), np.int64), np.zeros(len(_LIMITS), np.int64))


def _losses(one: Judged, learnt: TurnFilter) -> _Losses:
    cells = np.repeat(np.arange(len(one.encoded.first_token) - 1), np.diff(one.encoded.first_token))
    found = one.likelihoods >= Likelihood.POSSIBLE
    begins = found.copy()
    begins[1:] &= ~(found[:-1] & (cells[1:] == cells[:-1]))
    tokens, findings = (
        np.diff(one.encoded.first_token),
        np.bincount(cells[begins], minlength=len(one.encoded.first_token) - 1),
    )
    known, scores = learnt.known_and_scores(one.encoded)
    harmless = [known & (scores <= limit) for limit in _LIMITS]
    return _Losses(
        int(tokens.sum()),
        int(findings.sum()),
        np.array([tokens[some].sum() for some in harmless], np.int64),
        np.array([findings[some].sum() for some in harmless], np.int64),
    )


def _limit(left_out: Iterable[_Losses]) -> int:
    """Index of the highest limit that loses few findings, over all makers and for each; 0 if none does."""
    several = list(left_out)
    total = sum((losses.findings for losses in several), 0)
    lost = sum((losses.lost for losses in several), np.zeros(len(_LIMITS), np.int64))
    sound = lost <= LOST * total
    for losses in several:
        # With few findings, one lost finding is allowed.
        sound &= losses.lost <= np.maximum(1, LOST_OF_ANY * losses.findings)
    bad = np.flatnonzero(~sound)
    return int(max(0, (bad[0] if len(bad) else len(_LIMITS)) - 1))
