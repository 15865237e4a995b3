"""Tokenise turns: word pieces with exact offsets, and the case that an uncased vocabulary drops."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import IntEnum
from itertools import chain
from pathlib import Path
from threading import Lock

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer
from tokenizers.models import Unigram, WordPiece
from tokenizers.normalizers import NFKC, BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer, Metaspace

from tacenda.models.token_classifier.token_columns import Int8s, Int32s, TokenColumns
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn

Ints = npt.NDArray[np.int64]

_MOST_TOKENS = 1 << 18
"""Most tokens cached, some 10 MB with their words; beyond that the cache is cleared."""


class TokenCache:
    """Caches what ``encode`` returns for each word, one cell a word. Thread-safe."""

    def __init__(self, encode: Callable[[Sequence[str]], TokenColumns]) -> None:
        self._encode = encode
        self._numbers: dict[str, int] = {}
        self._tokens = encode([])
        self._one_at_a_time = Lock()

    def tokens(self, words: Sequence[str]) -> tuple[Ints, TokenColumns]:
        """The cell of each word, and the tokens of all cells."""
        with self._one_at_a_time:
            if len(self._tokens.ids) > _MOST_TOKENS:
                self._numbers, self._tokens = {}, self._encode([])
            new = [word for word in dict.fromkeys(words) if word not in self._numbers]
            if new:
                self._tokens = self._tokens.with_more(self._encode(new))
                next_ones = range(len(self._numbers), len(self._numbers) + len(new))
                self._numbers.update(zip(new, next_ones, strict=True))
            cells = np.fromiter(map(self._numbers.__getitem__, words), np.int64, len(words))
            return cells, self._tokens


# Worker processes are forked: the library would start threads in each of them, and warn about the fork.
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")


class Case(IntEnum):
    """Letter case of a word piece, passed to the network as its token type."""

    LOWER = 0
    INITIAL = 1
    ALL = 2
    INSIDE = 3


class TurnEncoder:
    """A Hugging Face ``tokenizer.json``, without its truncation, padding and special tokens.

    Raises:
        ValueError: the tokenizer has no classifying or separating token.
    """

    def __init__(self, tokenizer: Path | bytes) -> None:
        self._tokenizer = (
            Tokenizer.from_buffer(tokenizer)
            if isinstance(tokenizer, bytes)
            else Tokenizer.from_file(str(tokenizer))
        )
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.classifying = self.special("[CLS]", "<s>")
        self.separating = self.special("[SEP]", "</s>")
        self.padding = self.special("[PAD]", "<pad>")
        self.vocabulary: int = self._tokenizer.get_vocab_size()
        apart = _never_crosses_white_space(self._tokenizer)
        self._words = TokenCache(self._encoded) if apart else None

    def special(self, *names: str) -> int:
        """The number of the first of these tokens that exists; raises ``ValueError`` if none does."""
        for name in names:
            found = self._tokenizer.token_to_id(name)
            if found is not None:
                return int(found)
        raise ValueError(f"the tokenizer has no token {' or '.join(names)}")

    def whole_words(self) -> list[str | None]:
        """The word that each token of the vocabulary is when it stands between spaces; None for all others."""
        count = self._tokenizer.get_vocab_size()
        written = [text.strip() for text in self._tokenizer.decode_batch([[i] for i in range(count)])]
        spaced = self._tokenizer.encode_batch([f" {text}" for text in written], add_special_tokens=False)
        return [
            text if text.isalpha() and encoding.ids == [i] else None
            for i, (text, encoding) in enumerate(zip(written, spaced, strict=True))
        ]

    def encode(self, column: TextColumn) -> TokenColumns:
        """All tokens of all cells; long texts are not truncated."""
        if self._words is None:
            return self._encoded(column.texts)
        spaces = column.characters.spaces
        # Starts of words, as white space bounds them.
        begins = np.flatnonzero(~spaces & np.append(True, spaces[:-1]))
        cells, words = self._words.tokens(column.text.split())
        origins = column.origins
        first_word = np.searchsorted(begins, origins)
        encoded = words.at(cells, begins - np.repeat(origins[:-1], np.diff(first_word)))
        return replace(encoded, first_token=encoded.first_token[first_word])

    def _encoded(self, texts: Sequence[str]) -> TokenColumns:
        encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        first = np.zeros(len(texts) + 1, np.int32)
        np.cumsum([len(e) for e in encodings], out=first[1:])
        count = int(first[-1])
        ids = np.fromiter(chain.from_iterable(e.ids for e in encodings), np.int32, count)
        pairs = chain.from_iterable(chain.from_iterable(e.offsets for e in encodings))
        offsets = np.fromiter(pairs, np.int32, 2 * count).reshape(-1, 2)
        starts, ends = np.ascontiguousarray(offsets[:, 0]), np.ascontiguousarray(offsets[:, 1])
        return TokenColumns(ids, starts, ends, _cases(texts, first, starts, ends), first)


def read_encoder(tokenizer: Path) -> TurnEncoder:
    """The encoder of a tokenizer file given by the user.

    Raises:
        UserError: the file is not a tokenizer with BERT's special tokens.
    """
    try:
        return TurnEncoder(tokenizer)
    except Exception as error:  # noqa: BLE001 - the library raises bare Exception
        raise UserError(f"model {tokenizer}: cannot be loaded ({type(error).__name__})") from None


def _never_crosses_white_space(tokenizer: Tokenizer) -> bool:
    """Whether tokenising a text gives the tokens of its white-space-separated words, as with BERT's
    tokenizer and with that of our multilingual base.

    The exception are a few control characters that are white space in Python: BERT drops them and joins the
    words on both sides; the unigram tokenizer keeps them in a word.
    """
    added = tokenizer.get_added_tokens_decoder().values()
    split = tokenizer.pre_tokenizer
    return (
        (
            isinstance(tokenizer.normalizer, BertNormalizer)
            and isinstance(split, BertPreTokenizer)
            and isinstance(tokenizer.model, WordPiece)
        )
        or (
            isinstance(tokenizer.normalizer, NFKC)
            and isinstance(split, Metaspace)
            and (split.prepend_scheme, split.split) == ("always", True)
            and isinstance(tokenizer.model, Unigram)
        )
    ) and not any(token.lstrip or token.rstrip or len(token.content.split()) != 1 for token in added)


def _cases(texts: Sequence[str], first: Int32s, starts: Int32s, ends: Int32s) -> Int8s:
    joined = "".join(texts)
    upper = _UPPER[np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32).clip(max=0xFFFF)]
    before = np.zeros(len(upper) + 1, np.int32)
    np.cumsum(upper, out=before[1:])
    lengths = np.fromiter(map(len, texts), np.int32, len(texts))
    shift = np.repeat(np.cumsum(lengths, dtype=np.int64) - lengths, np.diff(first))
    left, right = starts + shift, ends + shift
    capitals = before[right] - before[left]
    cases = np.where(capitals > 0, np.int8(Case.INSIDE), np.int8(Case.LOWER))
    starts_upper = np.zeros(len(left), bool)
    filled = right > left
    starts_upper[filled] = upper[left[filled]]
    cases[starts_upper] = Case.INITIAL
    cases[(capitals > 1) & (capitals == right - left)] = Case.ALL
    coded: Int8s = cases.astype(np.int8)
    return coded


_UPPER = np.strings.isupper(np.arange(0xFFFF, dtype=np.uint32).view("U1"))
_UPPER = np.append(_UPPER, False)
"""Which code points are upper case; those beyond the basic plane count as lower case."""
