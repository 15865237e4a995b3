"""The report: one HTML file for the people who decide on the release of a corpus.

It needs no network, no script and no font of its own, and its bytes depend on nothing but the data. Every value
is escaped, and characters that could change how other text is displayed are shown as what they are.
"""

import marshal
import math
import platform
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.resources import files
from operator import attrgetter, itemgetter
from typing import Any, Literal, NamedTuple, TypeVar, get_args

from jinja2 import BaseLoader, Environment, StrictUndefined, Template
from markupsafe import Markup

from tacenda.transforms.releasing import charts, number_format
from tacenda.transforms.releasing.verdict import CriterionName, Evidence, Ground
from tacenda.transforms.storage.machine_cache import contents, fingerprint, get_or_build_anyway
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.visible import visible

Source = Literal["human", "gold", "model"]

_MOST_CONTEXTS = 100
"""Nobody reads a longer table, and a field that is no kind of conversation can have millions of values."""

_MOST_WORST, _MOST_REASONS = 8, 5
"""So many fit on the first page."""

_LONGEST = 80
"""Characters of an id, a context or a URL on the first page."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Where the criterion is not met: a context of a source, or (``None``) all its contexts together.

    ``mu_plus_sigma`` is None where no conversation was scored; ``upper_bound`` is that of its interval, where
    that alone is too high.
    """

    context: str | None
    mu_plus_sigma: float | None
    source: Source | None = None
    upper_bound: float | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the corpus is released, by which scores, and why not.

    ``source`` leads the report. ``deciding`` are all sources whose scores have to meet the criterion; by
    default every source that scored any conversation. ``override_reason`` is what a person wrote to release a
    corpus against the criterion or without evidence. ``problems`` hold a corpus whatever its scores are.
    ``lacks`` is what a corpus that meets the criterion needs before it is released; ``next_steps`` is what
    to do about that, or about a corpus that is held. ``rests_on`` are the grounds of the verdict, those that
    weaken it marked. All are sentences.

    Raises:
        ValueError: for a release over problems, or over failures that nobody gave a reason for.
    """

    released: bool
    threshold: float
    source: Source
    failures: tuple[Failure, ...] = ()
    override_reason: str | None = None
    deciding: tuple[Source, ...] | None = None
    problems: tuple[str, ...] = ()
    criterion: CriterionName = "paper"
    evidence: Evidence | None = None
    lacks: tuple[str, ...] = ()
    rests_on: tuple[Ground, ...] = ()
    next_steps: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.released and self.failures and not (self.override_reason or "").strip():
            raise ValueError("a release over failed contexts needs a reason")
        if self.released and self.problems:
            raise ValueError("nobody can release a corpus over a problem of the run")

    @property
    def by_hand(self) -> bool:
        """Released by a person, not by the criterion."""
        return self.released and self.override_reason is not None

    @property
    def on_self_check(self) -> bool:
        """Released by the scores of detectors that judged their own work, as the config allows."""
        return self.released and self.evidence == "self_check"

    @property
    def unreviewed(self) -> bool:
        """The criterion is met, and nobody stands behind the scores."""
        return not (self.released or self.failures or self.problems) and bool(self.lacks)


@dataclass(frozen=True, slots=True)
class ContextStatistics:
    """The scores of one context, or of a whole source.

    ``count`` conversations were scored and ``unreviewed`` were not; figures are None where ``count`` is 0.
    ``share_at_or_over`` is a share of 0 to 1, counted and not modelled. ``histogram`` maps a score to
    its number of conversations. ``share_interval`` and ``mu_plus_sigma_interval`` are the 95 % intervals, and
    ``direct_identifiers`` how many conversations hold a readable direct identifier, where they are known;
    ``naming_somebody`` in how many a person's name is readable, wholly or in part.
    """

    context: str
    count: int
    unreviewed: int
    mean: float | None
    std: float | None
    p95: float | None
    max: float | None
    mu_plus_sigma: float | None
    mu_plus_2sigma: float | None
    share_at_or_over: float | None
    passed: bool
    histogram: Mapping[int, int] = field(default_factory=dict)
    share_interval: tuple[float, float] | None = None
    direct_identifiers: int | None = None
    naming_somebody: int | None = None
    mu_plus_sigma_interval: tuple[float, float] | None = None


_Measured = TypeVar("_Measured", Failure, ContextStatistics)


@dataclass(frozen=True, slots=True)
class SourceStatistics:
    """The scores of one source; sources are never added up together."""

    source: Source
    rows: tuple[ContextStatistics, ...]
    total: ContextStatistics


class Masked(NamedTuple):
    """How much of one infoType was masked: places, and the entities that they mean."""

    info_type: str
    findings: int
    entities: int


@dataclass(frozen=True, slots=True)
class TagCounts:
    """What was masked and what was missed of one tag of the score table, and what one missed entity adds.

    ``masked`` are the infoTypes that count as the tag. ``missed`` counts data that stayed wholly readable and
    ``missed_partial`` data of which a part did. Without ``tag``, an infoType that counts as none; ``None``
    stands for a figure that there is not.
    """

    tag: str | None
    masked: tuple[Masked, ...]
    missed: int = 0
    missed_partial: int = 0
    score: int | None = None
    score_partial: int | None = None
    direct: bool = False

    @property
    def name(self) -> str:
        """What the row is about."""
        return self.tag or self.masked[0].info_type

    @property
    def findings(self) -> int | None:
        """Places masked; None where no infoType that was looked for counts as the tag."""
        return sum(of.findings for of in self.masked) if self.masked else None

    @property
    def entities(self) -> int | None:
        """What the places mean, counted by infoType."""
        return sum(of.entities for of in self.masked) if self.masked else None

    @property
    def points(self) -> int:
        """What all that was missed adds to the scores of its conversations."""
        return self.missed * (self.score or 0) + self.missed_partial * (self.score_partial or 0)


@dataclass(frozen=True, slots=True)
class UnscoredLabel:
    """A label that the score table leaves out by decision: its readable places, and why they count nothing."""

    label: str
    places: int
    reason: str


@dataclass(frozen=True, slots=True)
class QuarantineCount:
    """Input rows that went to quarantine at one stage for one error class."""

    stage: str
    error: str
    rows: int


@dataclass(frozen=True, slots=True)
class RowBalance:
    """Where the input rows went.

    Rows in = rows out + quarantined + dropped by request + not read by request, or something was lost.
    """

    rows_in: int
    rows_out: int
    rows_quarantined: int
    quarantine: tuple[QuarantineCount, ...] = ()
    rows_dropped: int = 0
    rows_not_read: int = 0

    @property
    def accounted(self) -> int:
        """The rows of which it is known where they went."""
        return self.rows_out + self.rows_quarantined + self.rows_dropped + self.rows_not_read

    @property
    def balanced(self) -> bool:
        """No row was lost or doubled, and the quarantine's own count agrees."""
        return (
            self.rows_in == self.accounted
            and sum(entry.rows for entry in self.quarantine) == self.rows_quarantined
        )


@dataclass(frozen=True, slots=True)
class CorpusSize:
    """How much was read, and in which shape."""

    work_units: int
    conversations: int
    turns: int
    characters: int
    shape: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a model did not look at because nothing was expected there, and what a sample of it held.

    ``what`` is turns or places; ``share_missed`` is estimated from the sample, None where that is empty.
    """

    what: Literal["turns", "places"]
    all: int
    left_out: int
    sampled: int
    findings_in_sampled: int
    share_missed: float | None


class LanguageShare(NamedTuple):
    """How much of the corpus is in a language, and whether the detectors know it.

    ``covered`` is None for what is in no language, as numbers are; ``accepted`` is why somebody let one through
    that they do not know.
    """

    name: str
    turns: int
    conversations: int
    covered: bool | None
    accepted: str | None = None


@dataclass(frozen=True, slots=True)
class FieldUse:
    """What became of the input's fields that are not of its shape.

    ``kept`` were anonymised like text, ``opaque`` (with the reason) written as they were, ``dropped`` left out,
    with ``dropped_unnamed`` whose names may be data themselves.
    """

    kept: tuple[str, ...] = ()
    opaque: tuple[tuple[str, str], ...] = ()
    dropped: tuple[str, ...] = ()
    dropped_unnamed: int = 0


class WorstConversation(NamedTuple):
    """A conversation that scored high, by name."""

    source: Source
    conversation_id: str
    context: str
    score: int
    direct_identifier: bool


@dataclass(frozen=True, slots=True)
class Run:
    """What was read, by whom and when, and which corpus came of it.

    ``inputs`` are the first of the URLs that were named and ``more_inputs`` how many others there were;
    ``files`` and ``bytes`` are what was found there. ``date`` and ``operator`` are as somebody said them,
    ``corpus_hash`` is that of the manifest; None where there is none. ``readers`` are the people who read
    conversations, in words; empty where none did.
    """

    inputs: tuple[str, ...] = ()
    more_inputs: int = 0
    files: int = 0
    bytes: int = 0
    date: str | None = None
    operator: str | None = None
    corpus_hash: str | None = None
    readers: str = ""


@dataclass(frozen=True, slots=True)
class Versions:
    """What has to be the same for the same figures to come out again.

    ``detectors`` are what looked at the text, in words, as ``rules`` or ``model kb-ner 3``; empty where nothing
    did, as where only marks of reviewers are scored.
    """

    tacenda: str
    config_hash: str
    score_table_version: str
    score_table_preset: str
    detectors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportData:
    """Everything that the report says.

    ``config_yaml`` is the effective config; ``unscored_labels`` are those that add nothing to a
    score. ``ddof`` is what the standard deviations subtract from the number of conversations they divide by.
    ``worst`` are the conversations that scored highest by the leading source; ``not_looked_at`` says in
    sentences what no figure speaks of.
    """

    verdict: Verdict
    sources: tuple[SourceStatistics, ...]
    tags: tuple[TagCounts, ...]
    rows: RowBalance
    corpus: CorpusSize
    versions: Versions
    config_yaml: str
    unscored_labels: tuple[UnscoredLabel, ...] = ()
    ddof: int = 0
    left_out: tuple[LeftOut, ...] = ()
    run: Run = Run()
    worst: tuple[WorstConversation, ...] = ()
    not_looked_at: tuple[str, ...] = ()
    languages: tuple[LanguageShare, ...] = ()
    fields: FieldUse = FieldUse()

    def __post_init__(self) -> None:
        if self.verdict.released and not self.verdict.by_hand and not self.deciding:
            raise ValueError("a release without any score needs a reason")

    @property
    def deciding(self) -> tuple[SourceStatistics, ...]:
        """The sources whose scores decide, the leading one first."""
        named = self.verdict.deciding
        return tuple(
            entry
            for entry in sorted(self.sources, key=self._rank)
            if (entry.total.count if named is None else entry.source in named)
        )

    @property
    def others(self) -> tuple[SourceStatistics, ...]:
        """The sources that are shown for information."""
        return tuple(entry for entry in sorted(self.sources, key=self._rank) if entry not in self.deciding)

    def _rank(self, entry: SourceStatistics) -> tuple[bool, int]:
        return entry.source != self.verdict.source, get_args(Source).index(entry.source)


def render(report: ReportData) -> str:
    """The report as one HTML document, to be encoded as UTF-8.

    The sources that decide come first; tags are ordered by the points of what was missed, then by how much
    was missed, then by what was masked; contexts stay in the order given, but where there are more than can be
    read, those with the highest mean plus deviation stand for all.
    """
    deciding = report.deciding
    tags = sorted(
        report.tags,
        key=lambda row: (-row.points, -row.missed - row.missed_partial, -(row.findings or 0), row.name),
    )
    masked = (row.findings or 0 for row in tags)
    missed = (row.missed + row.missed_partial for row in tags)
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            report=report,
            verdict=report.verdict,
            limit=number_format.limit(report.verdict.threshold),
            deciding=deciding,
            worst=_highest([row for entry in deciding for row in entry.rows], "mu_plus_sigma"),
            likeliest=_highest([entry.total for entry in deciding], "share_at_or_over"),
            highest=_highest([entry.total for entry in deciding], "max"),
            sources=[
                (entry, rows, _panels(rows, entry.total, report.verdict.threshold))
                for entry in (*deciding, *report.others)
                for rows in [_foremost(entry.rows)]
            ],
            failures=_foremost(report.verdict.failures, max(2, _MOST_REASONS - len(report.verdict.problems))),
            tags=tags,
            longest_bar=max(*masked, *missed, 0, 0),
            most_worst=_MOST_WORST,
            most_reasons=_MOST_REASONS,
            unscored_labels=sorted(report.unscored_labels, key=lambda entry: (-entry.places, entry.label)),
            quarantine=sorted(
                report.rows.quarantine, key=lambda entry: (-entry.rows, entry.stage, entry.error)
            ),
        )
    )


def _highest(rows: Sequence[ContextStatistics], figure: str) -> ContextStatistics | None:
    """The row in which a figure is highest; None where no row has it."""
    known = [row for row in rows if getattr(row, figure) is not None]
    return max(known, key=attrgetter(figure), default=None)


def _foremost(entries: Sequence[_Measured], most: int = _MOST_CONTEXTS) -> Sequence[_Measured]:
    """All entries; where they are too many, those without a figure, then those with the highest."""
    if len(entries) <= most:
        return entries
    figures = (math.inf if entry.mu_plus_sigma is None else entry.mu_plus_sigma for entry in entries)
    ranked = sorted(zip(figures, entries, strict=True), key=itemgetter(0), reverse=True)
    return [entry for _, entry in ranked[:most]]


def _panels(
    contexts: Sequence[ContextStatistics], total: ContextStatistics, threshold: float
) -> list[tuple[ContextStatistics, charts.Histogram, int]]:
    """A histogram for each context, and for the total where it says something that its one context does not."""
    rows = [*contexts, total] if len(contexts) != 1 else list(contexts)
    axis = charts.shared_axis((row.histogram for row in rows), threshold)
    return [
        (
            row,
            charts.histogram(row.histogram, axis, row.mean, row.mu_plus_sigma),
            sum(count for score, count in row.histogram.items() if score >= threshold),
        )
        for row in rows
        if row.count
    ]


@built_once
def _environment() -> Environment:
    environment = Environment(
        loader=_Compiled(),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_displayed,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., Any]] = {
        "whole": number_format.whole,
        "decimal": number_format.decimal,
        "limit": number_format.limit,
        "percent": number_format.percent,
        "bar_percent": charts.bar_percent,
        "cut": _cut,
    }
    environment.filters.update(filters)
    return environment


class _Compiled(BaseLoader):
    """The templates beside this file, compiled once a machine, which takes longer than to fill them in."""

    def load(
        self, environment: Environment, name: str, globals: MutableMapping[str, Any] | None = None
    ) -> Template:
        source = (files("tacenda.transforms.releasing") / name).read_text("utf-8")
        made_with = version("jinja2"), version("markupsafe"), platform.python_version(), contents(__package__)
        code = get_or_build_anyway(
            f"template-{fingerprint(name, source, *made_with)}",
            lambda: marshal.dumps(environment.compile(source, name, name)),
        )
        return Template.from_code(environment, marshal.loads(code), globals or {})  # noqa: S302 - our own


def _cut(text: str) -> str:
    """The first characters of a text that may be of any length."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _displayed(value: object) -> object:
    """Text as :func:`visible`: an override in a context's name would turn round the figures beside it."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
