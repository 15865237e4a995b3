"""Result types of the Python API: frozen dataclasses that are cheap to import."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from tacenda.transforms.schema.likelihood import Likelihood

ConversationT = TypeVar("ConversationT")


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where a detector found personal data.

    Attributes:
        turn: number of the turn in its conversation, from 0.
        start: first character, in Unicode code points of the turn's original text.
        end: one past the last character.
        info_type: the infoType, such as ``PERSON_NAME``; see ``tacenda config infotypes``.
        likelihood: how likely it is, according to the detector.
        detector: ``rules``, ``spoken``, ``gazetteer``, ``model``, ``cloud_dlp`` or the name of a list.
        entity: number of the entity that it refers to, from 1 in each conversation; see ``Result.entities``.
        part: the text of the turn that it is in, such as ``tool_calls.0.arguments.city``; None if a turn has
            only one text.
    """

    turn: int
    start: int
    end: int
    info_type: str
    likelihood: Likelihood
    detector: str
    entity: int
    part: str | None = None


@dataclass(frozen=True, slots=True)
class Entity:
    """One person, number or thing that findings of one conversation refer to.

    Attributes:
        number: from 1, in the order of first appearance in the conversation; named speakers count.
        info_type: the infoType.
        token: what replaces it, such as ``[PERSON_NAME_1]`` or what the config asks for; if mentions are
            replaced differently, what replaces the first.
        mentions: number of findings that refer to it.
    """

    number: int
    info_type: str
    token: str
    mentions: int


@dataclass(frozen=True, slots=True)
class RiskTag:
    """The contribution of entities of one kind to the risk of a conversation.

    Attributes:
        tag: a tag of the score table, such as ``PERSON_NAME``.
        partial: only part of each is readable, which halves the score.
        speaker: they belong to a speaker of the conversation.
        entities: number of distinct readable entities.
        score: their total score.
    """

    tag: str
    partial: bool
    speaker: bool
    entities: int
    score: int


@dataclass(frozen=True, slots=True)
class Risk:
    """The residual risk of one conversation, after Gardiner et al., CALD-pseudo 2024.

    Attributes:
        score: the sum over ``tags``; 0 if nothing readable was found.
        source: who inspected the text: ``human``, ``gold``, or ``model``, which is a self-check.
        direct_identifier: something that identifies a person by itself is wholly readable.
        tags: the contributions to the score.
    """

    score: int
    source: str
    direct_identifier: bool
    tags: tuple[RiskTag, ...] = ()


@dataclass(frozen=True, slots=True)
class Result(Generic[ConversationT]):
    """The result for one conversation.

    Attributes:
        conversation: in its original form: a text, a list of chat messages, or a record. Records have only
            the fields that their shape declares and those to keep. ``anonymize`` returns it anonymised,
            ``inspect`` and ``score`` unchanged.
        findings: sorted by turn and start, without overlaps.
        entities: what the findings refer to, by number.
        risk: the risk of what is still readable; None after ``inspect``, and if nobody inspected the text.
    """

    conversation: ConversationT
    findings: tuple[Finding, ...] = ()
    entities: tuple[Entity, ...] = ()
    risk: Risk | None = None


@dataclass(frozen=True, slots=True)
class Rejection:
    """A conversation that could not be processed; contains none of its text.

    Attributes:
        stage: ``read``, ``detect``, ``replace``, ``score`` or ``write``.
        error: the error class, such as ``MissingField`` or ``NullText``; never a message.
        position: its index among the given conversations, from 0; the row of a table or a Parquet file; or
            the byte offset of its line in a file of JSON lines.
        file: URL of the file that ``position`` refers to; None if it was not read from a file.
        rows: number of input rows.
        conversation_id: the id of a record that was not read from a file, if it has one.
    """

    stage: str
    error: str
    position: int
    file: str | None = None
    rows: int = 1
    conversation_id: str | None = None


class RejectedError(Exception):
    """The given conversation cannot be processed.

    Attributes:
        rejection: stage and error class, without text of the conversation.
    """

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(f"the conversation cannot be processed: {rejection.error} (stage {rejection.stage})")
        self.rejection = rejection

    def __reduce__(self) -> tuple[type["RejectedError"], tuple[Rejection]]:
        return type(self), (self.rejection,)
