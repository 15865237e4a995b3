"""Anonymizer: anonymise conversations in your own Python process."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, TypeVar, cast, overload

from tacenda.config import Config

if TYPE_CHECKING:
    from tacenda.pipelines.chain.conversations import Conversations, Intake
    from tacenda.pipelines.chain.results import Rejection, Result
    from tacenda.pipelines.config.job_settings import ChainSettings, Command
    from tacenda.settings import PreparedSettings
    from tacenda.transforms.shapes.options import ReadOptions

Record = Mapping[str, Any]

ConversationT = TypeVar("ConversationT", bound=str | Record | Sequence[Record])
"""One conversation: a bare text, a record of any shape but a turn a row, or a list of chat messages."""


class ChatMessage(TypedDict):
    """A message of a chat, for type checkers: a list of them is one conversation.

    A list of other dicts may be a chat or several records, which only their content tells.
    """

    role: str
    content: str


class ArrowTable(Protocol):
    """What of an Arrow table tells that it is one."""

    @property
    def schema(self) -> Any: ...
    @property
    def num_rows(self) -> int: ...


if TYPE_CHECKING:
    Results = Iterator[Result[ConversationT] | Rejection]

_BATCH = 256


class Anonymizer:
    """Finds personal data in conversations, replaces it, and scores what is left, with the command's chain.

    Results are byte for byte those of ``tacenda anonymize`` with the same config. The constructor validates
    the config and the models; detectors are built on first use, once a process for equal configs. Instances
    are thread-safe and can be pickled.

    Each method takes

    - a bare text;
    - a list of chat messages, ``[{"role": …, "content": …}, …]``;
    - a record of one conversation, ``{"conversation_id": …, "turns": [{"speaker": …, "text": …}, …]}``, or in
      any other shape that the command reads, except a turn a row;
    - a table with a conversation or a turn a row: of Arrow, or of any library that gives Arrow's stream
      (``__arrow_c_stream__``), such as Polars, DuckDB and pandas;
    - any other iterable of conversations, possibly infinite: results are yielded in order, as they are ready.

    Args:
        config: a Config, or anything that ``Config.load`` accepts; None for defaults.
        reading: shape, field names, fields to keep and the longest turn; None for defaults.

    Raises:
        UserError: the config is invalid, or a detector cannot be used.

    Example:
        >>> anonymizer = Anonymizer(Config.load(detectors=["rules"]))
        >>> anonymizer.anonymize("Write to ann@example.com").conversation
        'Write to [EMAIL_ADDRESS_1]'
    """

    def __init__(
        self,
        config: Config | str | os.PathLike[str] | Mapping[str, Any] | None = None,
        *,
        reading: ReadOptions | None = None,
    ) -> None:
        from tacenda.settings import config_of, settings_of

        self._config = config_of(config)
        self._reading = reading
        self._asked: dict[tuple[Command, bool], PreparedSettings] = {}
        self._asked["anonymize", False] = settings_of(self._config, "anonymize", reading)

    @overload
    def anonymize(self, conversations: str) -> Result[str]: ...
    @overload
    def anonymize(self, conversations: Record) -> Result[dict[str, Any]]: ...
    @overload
    def anonymize(self, conversations: ArrowTable) -> Conversations: ...
    @overload
    def anonymize(self, conversations: list[ChatMessage]) -> Result[list[dict[str, Any]]]: ...
    @overload
    def anonymize(
        self, conversations: Sequence[Record]
    ) -> Result[list[dict[str, Any]]] | Results[dict[str, Any]]: ...
    @overload
    def anonymize(self, conversations: Iterable[ConversationT]) -> Results[ConversationT]: ...
    def anonymize(self, conversations: Any) -> Any:
        """Replace personal data by tokens such as ``[PERSON_NAME_1]``, and score what is still readable.

        Args:
            conversations: one conversation, a table, or an iterable; see the class.

        Returns:
            For one conversation, a ``Result`` in its original form. For a table, ``Conversations``. For an
            iterable, an iterator with a ``Result`` or ``Rejection`` for each conversation, in order.

        Raises:
            RejectedError: the conversation cannot be processed; in an iterable, it is a ``Rejection``
                instead.
            UserError: the record or table has no known shape, or a detector is unavailable.

        Example:
            >>> anonymizer = Anonymizer(Config.load(detectors=["rules"]))
            >>> chat = [{"role": "user", "content": "I am at 10.1.2.3"}]
            >>> result = anonymizer.anonymize(chat)
            >>> result.conversation
            [{'role': 'user', 'content': 'I am at [IP_ADDRESS_1]'}]
            >>> result.entities[0].token, result.risk.score
            ('[IP_ADDRESS_1]', 0)
        """
        return self._process("anonymize", conversations)

    @overload
    def inspect(self, conversations: str) -> Result[str]: ...
    @overload
    def inspect(self, conversations: Record) -> Result[dict[str, Any]]: ...
    @overload
    def inspect(self, conversations: ArrowTable) -> Conversations: ...
    @overload
    def inspect(self, conversations: list[ChatMessage]) -> Result[list[dict[str, Any]]]: ...
    @overload
    def inspect(
        self, conversations: Sequence[Record]
    ) -> Result[list[dict[str, Any]]] | Results[dict[str, Any]]: ...
    @overload
    def inspect(self, conversations: Iterable[ConversationT]) -> Results[ConversationT]: ...
    def inspect(self, conversations: Any) -> Any:
        """Find personal data, without changing the text: as :meth:`anonymize`, without a risk.

        Example:
            >>> anonymizer = Anonymizer(Config.load(detectors=["rules"]))
            >>> [finding] = anonymizer.inspect("Write to ann@example.com").findings
            >>> finding.start, finding.end, finding.info_type, finding.likelihood.name
            (9, 24, 'EMAIL_ADDRESS', 'VERY_LIKELY')
        """
        return self._process("inspect", conversations)

    @overload
    def score(self, conversations: str, *, reviewed: bool = False) -> Result[str]: ...
    @overload
    def score(self, conversations: Record, *, reviewed: bool = False) -> Result[dict[str, Any]]: ...
    @overload
    def score(self, conversations: ArrowTable, *, reviewed: bool = False) -> Conversations: ...
    @overload
    def score(
        self, conversations: list[ChatMessage], *, reviewed: bool = False
    ) -> Result[list[dict[str, Any]]]: ...
    @overload
    def score(
        self, conversations: Sequence[Record], *, reviewed: bool = False
    ) -> Result[list[dict[str, Any]]] | Results[dict[str, Any]]: ...
    @overload
    def score(
        self, conversations: Iterable[ConversationT], *, reviewed: bool = False
    ) -> Results[ConversationT]: ...
    def score(self, conversations: Any, *, reviewed: bool = False) -> Any:
        """Score the residual risk of conversations that people reviewed, or that have gold spans.

        Marks are the paper's markup in the text, ``(Ann)[MISSED_PERSON_NAME]``, or ``spans`` of turns.

        Args:
            conversations: one conversation, a table, or an iterable; see the class.
            reviewed: all conversations were reviewed, so those without marks have a risk of 0 instead of
                none.

        Returns:
            As :meth:`anonymize`, with unchanged text and without findings.

        Example:
            >>> anonymizer = Anonymizer(Config.load(detectors=["rules"]))
            >>> anonymizer.score("This is (Ann Lee)[MISSED_PERSON_NAME].").risk.score
            5
        """
        return self._process("score", conversations, reviewed)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Anonymizer, self._config, reading=self._reading), ()

    def _process(self, command: Command, given: Any, reviewed: bool = False) -> Any:
        from tacenda.pipelines.chain.conversations import Intake, is_messages
        from tacenda.pipelines.chain.results import RejectedError
        from tacenda.settings import settings_of
        from tacenda.transforms.schema.errors import UserError

        asked = command, reviewed
        if asked not in self._asked:
            self._asked[asked] = settings_of(self._config, command, self._reading, reviewed=reviewed)
        settings, reading, labels = self._asked[asked]
        intake = Intake(reading, labels)
        if isinstance(given, (str, Mapping)) or is_messages(given):
            if isinstance(given, Mapping):
                intake.check(given)
            (done,) = _processed(intake.items([given]), settings)
            for rejection in done.rejections():
                raise RejectedError(rejection)
            return _as_given(done.results()[0], given)
        if hasattr(given, "__arrow_c_stream__") or (hasattr(given, "schema") and hasattr(given, "num_rows")):
            import pyarrow as pa

            table = given if isinstance(given, pa.Table) else pa.table(given)
            return next(_processed(iter([intake.table(table)]), settings))
        is_table = hasattr(given, "columns") or hasattr(given, "dtype")
        if not isinstance(given, Iterable) or isinstance(given, (bytes, bytearray)) or is_table:
            raise UserError(
                f"conversations: {type(given).__name__} is not supported; give a text, a record, a list or an "
                "Arrow table"
            )
        return _results(given, intake, settings)


def _processed(conversations: Iterator[Conversations], settings: ChainSettings) -> Iterator[Conversations]:
    """Run the chain on conversations; errors are sanitised."""
    from tacenda.pipelines.chain.build import chain_of
    from tacenda.pipelines.chain.conversations import after
    from tacenda.pipelines.work.error_sanitizing import UnitFailedError, sanitize_errors
    from tacenda.transforms.schema.errors import UserError

    for some in conversations:
        try:
            with sanitize_errors("the work"):
                done = after(some, chain_of(settings), settings.command)
        except UnitFailedError as error:
            raise UserError(str(error)) from None
        yield done


def _results(
    given: Iterable[Any], intake: Intake, settings: ChainSettings
) -> Iterator[Result[Any] | Rejection]:
    """The result of each conversation, in order, processed in batches of some hundreds."""
    rest, first = iter(given), 0
    while items := list(islice(rest, _BATCH)):
        became: dict[int, Result[Any] | Rejection] = {}
        for some in _processed(intake.items(items, first), settings):
            became.update((rejection.position, rejection) for rejection in some.rejections())
            for position, result in zip(some.positions(), some.results(), strict=True):
                became[position] = _as_given(result, items[position - first])
        yield from (became[position] for position in range(first, first + len(items)))
        first += len(items)


def _as_given(result: Result[dict[str, Any]], given: Any) -> Result[Any]:
    """A result whose conversation has its original form."""
    from tacenda.pipelines.chain.conversations import MESSAGES, TEXT

    if isinstance(given, Mapping):
        return cast("Result[Any]", result)
    return replace(result, conversation=result.conversation[TEXT if isinstance(given, str) else MESSAGES])
