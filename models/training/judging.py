"""Text labelled by a package's own network: the training data of a turn filter."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from tacenda.models.token_classifier.decoding import verdicts
from tacenda.models.token_classifier.loading import loaded
from tacenda.models.token_classifier.package import Package
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.models.training.corpora import in_parts, read_gold
from tacenda.models.training.splitting import words_of
from tacenda.models.training.turn_filter import Judged, Vocabulary
from tacenda.transforms.text.column import TextColumn

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
