"""What the Python API gives back: typed, frozen, and light to import."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from tacenda.transforms.schema.likelihood import Likelihood

ConversationT = TypeVar("ConversationT")


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where a detector saw personal data.

    Attributes:
        turn: number of the turn in its conversation, from 0.
        start: first character, in Unicode code points of the turn's original text.
        end: behind the last character.
        info_type: what it is, as ``PERSON_NAME``; see ``tacenda infotypes``.
        likelihood: how sure the detector is.
        detector: who saw it: ``rules``, ``spoken``, ``gazetteer``, ``model``, ``cloud_dlp`` or a name of a
            list.
        entity: number of the entity that it means, from 1 in each conversation; see ``Result.entities``.
        part: which text of the turn it lies in, as ``tool_calls.0.arguments.city``; None where a turn is one.
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
    """What several findings of one conversation mean: one person, one number, one thing.

    Attributes:
        number: from 1, in the order of first appearance in the conversation; speakers who are named count
            along.
        info_type: what it is.
        token: what stands in its place after replacement, as ``[PERSON_NAME_1]``, or what the config asks for;
            of several mentions that differ, in place of the first.
        mentions: how many findings mean it.
    """

    number: int
    info_type: str
    token: str
    mentions: int


@dataclass(frozen=True, slots=True)
class RiskTag:
    """What entities of one kind add to the risk of a conversation.

    Attributes:
        tag: a tag of the score table, as ``PERSON_NAME``.
        partial: only part of each is readable, which halves its score.
        speaker: they belong to a speaker of the conversation.
        entities: how many different ones are readable.
        score: what they add together.
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
        score: the sum over ``tags``; 0 where nothing readable was found.
        source: who looked: ``human``, ``gold``, or ``model``, which is a self-check.
        direct_identifier: something that identifies by itself is wholly readable.
        tags: what the score is made of.
    """

    score: int
    source: str
    direct_identifier: bool
    tags: tuple[RiskTag, ...] = ()


@dataclass(frozen=True, slots=True)
class Result(Generic[ConversationT]):
    """What became of one conversation.

    Attributes:
        conversation: in the form in which it was given: a text, a list of chat messages, or a record. Of a
            record
            those fields are left that its shape declares, and those to keep. Anonymised by ``anonymize``,
            untouched by ``inspect`` and ``score``.
        findings: in the order of turns and starts; they do not overlap.
        entities: what the findings mean, in the order of their numbers.
        risk: what is still readable, as a number; None after ``inspect``, and where nobody looked.
    """

    conversation: ConversationT
    findings: tuple[Finding, ...] = ()
    entities: tuple[Entity, ...] = ()
    risk: Risk | None = None


@dataclass(frozen=True, slots=True)
class Rejection:
    """A conversation that could not be processed, told without a word of its content.

    Attributes:
        stage: where: ``read``, ``detect``, ``replace``, ``score`` or ``write``.
        error: the error class, as ``MissingField`` or ``NullText``; never a message.
        position: which one: its place among those that were given, from 0; the row of a table or a Parquet
            file;
            the byte where its line begins in a file of JSON lines.
        file: URL of the file that ``position`` counts in; None where it was not read from one.
        rows: how many input rows it stands for.
        conversation_id: the id of a record that was not read from a file, where it has one.
    """

    stage: str
    error: str
    position: int
    file: str | None = None
    rows: int = 1
    conversation_id: str | None = None


class RejectedError(Exception):
    """One conversation was to be processed, and cannot be.

    Attributes:
        rejection: where and why; no text of the conversation.
    """

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(f"the conversation cannot be processed: {rejection.error} (stage {rejection.stage})")
        self.rejection = rejection

    def __reduce__(self) -> tuple[type["RejectedError"], tuple[Rejection]]:
        return type(self), (self.rejection,)
