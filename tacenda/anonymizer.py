"""Anonymizer: conversations in, anonymised conversations out, in a Python process of one's own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from tacenda.config import Config

if TYPE_CHECKING:
    from tacenda.pipelines.conversations import Conversations
    from tacenda.pipelines.results import Rejection, Result
    from tacenda.pipelines.settings import ChainSettings, Command
    from tacenda.settings import Asked
    from tacenda.transforms.shapes.options import ReadOptions

Conversation = str | Mapping[str, Any] | Sequence[Mapping[str, Any]]
"""One conversation: a bare text, a record of any shape but a turn a row, or a list of chat messages."""

One = TypeVar("One", str, Mapping[str, Any])

_BATCH = 256


class Anonymizer:
    """Finds personal data in conversations, replaces it, and says what is left: the same chain as the
    command's.

    What it makes of a conversation is the same, byte for byte, as what ``tacenda anonymize`` writes with the
    same config. Making one checks the config and the models; the detectors are built when they are first
    used, once a process for equal configs. It can be shared by threads, and pickled.

    Each method takes

    - a bare text;
    - a list of chat messages, ``[{"role": …, "content": …}, …]``;
    - a record of one conversation, ``{"conversation_id": …, "turns": [{"speaker": …, "text": …}, …]}``, or
    of any
      other shape that the command reads but a turn a row;
    - an Arrow table of a conversation a row;
    - any other iterable of conversations, which may be endless: results come as they are done, in order.

    Args:
        config: a Config, or what ``Config.load`` reads one from; None is all defaults.
        reading: shape, names of fields, fields to keep and the longest turn; None is all defaults.

    Raises:
        UserError: a mistake in the config; or a detector that cannot be used.

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
        self._asked: dict[tuple[Command, bool], Asked] = {}
        self._asked["anonymize", False] = settings_of(self._config, "anonymize", reading)

    @overload
    def anonymize(self, conversations: str) -> Result[str]: ...
    @overload
    def anonymize(self, conversations: Mapping[str, Any]) -> Result[dict[str, Any]]: ...
    @overload
    def anonymize(self, conversations: Any) -> Any: ...
    def anonymize(self, conversations: Any) -> Any:
        """Replace personal data by tokens such as ``[PERSON_NAME_1]``, and score what is still readable.

        Args:
            conversations: one conversation, a table, or an iterable; see the class.

        Returns:
            A ``Result`` of one conversation, in the form in which it was given. ``Conversations`` of a
            table. An iterator of ``Result`` and ``Rejection`` of an iterable, one for each that was given,
            in order.

        Raises:
            RejectedError: the one conversation cannot be processed. Of several, each such one comes as a
                ``Rejection``.
            UserError: the record or table has no known shape, or a detector cannot be asked.

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
    def inspect(self, conversations: Mapping[str, Any]) -> Result[dict[str, Any]]: ...
    @overload
    def inspect(self, conversations: Any) -> Any: ...
    def inspect(self, conversations: Any) -> Any:
        """Find personal data, and leave the text as it is.

        Args:
            conversations: one conversation, a table, or an iterable; see the class.

        Returns:
            As :meth:`anonymize`; without a risk.

        Raises:
            RejectedError: the one conversation cannot be processed.
            UserError: the record or table has no known shape, or a detector cannot be asked.

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
    def score(
        self, conversations: Mapping[str, Any], *, reviewed: bool = False
    ) -> Result[dict[str, Any]]: ...
    @overload
    def score(self, conversations: Any, *, reviewed: bool = False) -> Any: ...
    def score(self, conversations: Any, *, reviewed: bool = False) -> Any:
        """Score the residual risk of conversations that people reviewed, or that have gold spans.

        Marks are the paper's markup in the text, ``(Ann)[MISSED_PERSON_NAME]``, or ``spans`` of turns.

        Args:
            conversations: one conversation, a table, or an iterable; see the class.
            reviewed: somebody read all of them, so that one without a mark has a risk of 0; else it has none.

        Returns:
            As :meth:`anonymize`; the text as it is, without findings.

        Raises:
            RejectedError: the marks of the one conversation cannot be scored.
            UserError: the record or table has no known shape.

        Example:
            >>> anonymizer = Anonymizer(Config.load(detectors=["rules"]))
            >>> anonymizer.score("This is (Ann Lee)[MISSED_PERSON_NAME].").risk.score
            5
        """
        return self._process("score", conversations, reviewed)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self._config, self._reading)

    def _process(self, command: Command, given: Any, reviewed: bool = False) -> Any:
        from tacenda.pipelines.intake import Intake, is_messages
        from tacenda.settings import settings_of, words_of_python

        if (command, reviewed) not in self._asked:
            self._asked[command, reviewed] = settings_of(
                self._config, command, self._reading, reviewed=reviewed
            )
        settings, reading, labels = self._asked[command, reviewed]
        intake = Intake(reading, labels)
        if isinstance(given, (str, Mapping)) or is_messages(given):
            with words_of_python():
                if isinstance(given, Mapping):
                    intake.check(given)
                return _single(next(iter(_processed(intake.items([given]), settings))), given)
        if hasattr(given, "schema") and hasattr(given, "num_rows"):
            with words_of_python():
                return next(_processed(iter([intake.table(given)]), settings))
        if not isinstance(given, Iterable) or isinstance(given, (bytes, bytearray)):
            from tacenda.transforms.schema.errors import UserError

            raise UserError(
                f"conversations: {_a(type(given).__name__)} is none; give a text, a record or a list"
            )
        return _results(given, intake, settings)


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _again(config: Config, reading: ReadOptions | None) -> Anonymizer:
    return Anonymizer(config, reading=reading)


def _processed(conversations: Iterator[Conversations], settings: ChainSettings) -> Iterator[Conversations]:
    """Conversations after the chain of some settings; no error leaves with text in it."""
    from tacenda.pipelines.chains import chain_of
    from tacenda.pipelines.conversations import after
    from tacenda.pipelines.error_sanitizing import UnitFailedError, sanitize_errors
    from tacenda.transforms.schema.errors import UserError

    for some in conversations:
        try:
            with sanitize_errors("the work"):
                done = after(some, chain_of(settings), settings.command)
        except UnitFailedError as error:
            raise UserError(str(error)) from None
        yield done


def _results(given: Iterable[Any], intake: Any, settings: ChainSettings) -> Iterator[Result[Any] | Rejection]:
    """What became of each conversation, in order, some hundred at a time."""
    from itertools import islice

    rest, first = iter(given), 0
    while items := list(islice(rest, _BATCH)):
        became: dict[int, Result[Any] | Rejection] = {}
        for some in _processed(intake.items(items, first), settings):
            became.update((rejection.position, rejection) for rejection in some.rejections())
            became.update(
                (position, _as_given(result, items[position - first]))
                for position, result in zip(some.positions(), some.results(), strict=True)
            )
        yield from (became[position] for position in range(first, first + len(items)))
        first += len(items)


def _single(done: Conversations, given: Any) -> Result[Any]:
    from tacenda.pipelines.results import RejectedError

    for rejection in done.rejections():
        raise RejectedError(rejection)
    (result,) = done.results()
    return _as_given(result, given)


def _as_given(result: Result[dict[str, Any]], given: Any) -> Result[Any]:
    """A result whose conversation has the form in which it was given."""
    from dataclasses import replace

    from tacenda.pipelines.intake import MESSAGES, TEXT

    if isinstance(given, Mapping):
        return cast("Result[Any]", result)
    return replace(result, conversation=result.conversation[TEXT if isinstance(given, str) else MESSAGES])
