"""Tokenise turns: word pieces with exact offsets, and the case that an uncased vocabulary drops."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import chain, count
from pathlib import Path
from threading import Lock

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from tacenda.models.token_classifier.listed import KINDS, Int16s, listed
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn

Ints = npt.NDArray[np.int64]
Int32s = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class TokenColumns:
    """The tokens of some cells, concatenated.

    ``starts`` and ``ends`` are half-open code point offsets in the cell's text; cell ``i`` has the tokens
    ``first_token[i]:first_token[i + 1]``.
    """

    ids: Int32s
    starts: Int32s
    ends: Int32s
    cases: Int16s
    first_token: Int32s

    def places(self, origins: Ints) -> tuple[Ints, Ints]:
        """Starts and ends of the tokens in a text in which the cells begin at ``origins``."""
        shift = np.repeat(origins[:-1], np.diff(self.first_token))
        return self.starts + shift, self.ends + shift

    def with_more(self, other: "TokenColumns") -> "TokenColumns":
        """Concatenate the cells with those of another."""
        return TokenColumns(
            np.concatenate((self.ids, other.ids)),
            np.concatenate((self.starts, other.starts)),
            np.concatenate((self.ends, other.ends)),
            np.concatenate((self.cases, other.cases)),
            np.concatenate((self.first_token, self.first_token[-1] + other.first_token[1:])),
        )

    def at(self, cells: Ints, shifts: Ints) -> "TokenColumns":
        """The tokens of the given cells, which may repeat, with each cell's offsets moved by its shift."""
        counts = np.diff(self.first_token)[cells]
        first = np.zeros(len(cells) + 1, np.int32)
        np.cumsum(counts, out=first[1:])
        token = np.repeat(self.first_token[cells] - first[:-1], counts) + np.arange(first[-1], dtype=np.int32)
        shift = np.repeat(shifts.astype(np.int32), counts)
        return TokenColumns(
            self.ids[token], self.starts[token] + shift, self.ends[token] + shift, self.cases[token], first
        )


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
            if new := [word for word in dict.fromkeys(words) if word not in self._numbers]:
                self._tokens = self._tokens.with_more(self._encode(new))
                self._numbers.update(zip(new, count(len(self._numbers)), strict=False))
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


TYPES = len(Case) * KINDS
"""Token types of a network that reads the lists, too: the case of a piece, and what they say of its word."""


class TurnEncoder:
    """A Hugging Face ``tokenizer.json``, without its truncation, padding and special tokens.

    ``lists``: what the shipped lists say of each token's word is added to its case.

    Raises:
        ValueError: the tokenizer has no classifying or separating token.
    """

    def __init__(self, tokenizer: Path | bytes, lists: bool = False) -> None:
        self._lists = lists
        if isinstance(tokenizer, bytes):
            self._tokenizer = Tokenizer.from_buffer(tokenizer)
        else:
            self._tokenizer = Tokenizer.from_file(str(tokenizer))
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
        every = [[i] for i in range(self.vocabulary)]
        written = [text.strip() for text in self._tokenizer.decode_batch(every)]
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
        total = int(first[-1])
        ids = np.fromiter(chain.from_iterable(e.ids for e in encodings), np.int32, total)
        pairs = chain.from_iterable(chain.from_iterable(e.offsets for e in encodings))
        offsets = np.fromiter(pairs, np.int32, 2 * total).reshape(-1, 2)
        starts, ends = map(np.ascontiguousarray, offsets.T)
        cases = _cases(texts, first, starts, ends)
        if self._lists:
            cases += len(Case) * listed(texts, first, starts)
        return TokenColumns(ids, starts, ends, cases, first)


def read_encoder(tokenizer: Path, lists: bool = False) -> TurnEncoder:
    """The encoder of a tokenizer file given by the user.

    Raises:
        UserError: the file is not a tokenizer with BERT's special tokens.
    """
    try:
        return TurnEncoder(tokenizer, lists)
    except Exception as error:  # noqa: BLE001 - the library raises bare Exception
        raise UserError(f"model {tokenizer}: cannot be loaded ({type(error).__name__})") from None


def _never_crosses_white_space(tokenizer: Tokenizer) -> bool:
    """Whether tokenising a text gives the tokens of its white-space-separated words, as with BERT's tokenizer.

    The exception are a few control characters that are white space in Python: BERT drops them and joins the
    words on both sides.
    """
    parts = (tokenizer.normalizer, tokenizer.pre_tokenizer, tokenizer.model)
    if tuple(map(type, parts)) != (BertNormalizer, BertPreTokenizer, WordPiece):
        return False
    added = tokenizer.get_added_tokens_decoder().values()
    return not any(token.lstrip or token.rstrip or len(token.content.split()) != 1 for token in added)


def _cases(texts: Sequence[str], first: Int32s, starts: Int32s, ends: Int32s) -> Int16s:
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
    coded: Int16s = cases.astype(np.int16)
    return coded


_UPPER = np.strings.isupper(np.arange(0xFFFF, dtype=np.uint32).view("U1"))
_UPPER = np.append(_UPPER, False)
"""Which code points are upper case; those beyond the basic plane count as lower case."""
