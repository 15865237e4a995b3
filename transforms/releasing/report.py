"""The report: one HTML file for the people who decide on the release of a corpus.

It needs no network, script or font, and its bytes depend only on the data. Every value is escaped, and
characters that could change how other text is displayed are shown as escape sequences.
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

from jinja2 import BaseLoader, Environment, Template

from tacenda.transforms.releasing import charts, number_format
from tacenda.transforms.releasing.comparison import Changes
from tacenda.transforms.releasing.tail import Tail, tail
from tacenda.transforms.releasing.verdict import CriterionName, Evidence, Ground
from tacenda.transforms.schema.errors import is_reason
from tacenda.transforms.scoring.combined import NARROW, Estimate
from tacenda.transforms.storage.machine_cache import contents, fingerprint, get_or_build_anyway
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.html_page import page_environment

Source = Literal["human", "gold", "model"]

_MOST_CONTEXTS = 100
"""Most rows of a table: a field mistaken for the context can have millions of values."""

_MOST_REASONS = 5
"""As many as fit on the first page."""

_LONGEST = 80
"""Most characters of an id, a context or a URL."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A place where the criterion is not met: a context of a source, or (``None``) all its contexts together.

    ``mu_plus_sigma`` is None if no conversation was scored; ``upper_bound`` is that of its interval, if only
    that is too high.
    """

    context: str | None
    mu_plus_sigma: float | None
    source: Source | None = None
    upper_bound: float | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the corpus is released, by which scores, and why not.

    ``source`` is shown first. ``deciding`` are all sources whose scores must meet the criterion; by default
    every source with scored conversations. ``override_reason`` is a person's reason for a release against the
    criterion or without evidence. ``problems`` hold a corpus whatever its scores. ``lacks`` is what a corpus
    that meets the criterion needs before its release; ``next_steps``, what to do about that or about a held
    corpus. ``rests_on`` are the grounds of the verdict, with weakening ones marked. All are sentences.

    Raises:
        ValueError: a release despite problems, or despite failures without a reason.
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
        if self.released and self.failures and not is_reason(self.override_reason):
            raise ValueError("a release despite failed contexts needs a reason")
        if self.released and self.problems:
            raise ValueError("nobody can release a corpus despite a problem of the run")

    @property
    def by_hand(self) -> bool:
        """Whether a person, not the criterion, released it."""
        return self.released and self.override_reason is not None

    @property
    def on_self_check(self) -> bool:
        """Whether the release rests on detectors' scores of their own work, as the config allows."""
        return self.released and self.evidence == "self_check"

    @property
    def unreviewed(self) -> bool:
        """Whether the criterion is met without any evidence for the scores."""
        return not (self.released or self.failures or self.problems) and bool(self.lacks)


@dataclass(frozen=True, slots=True)
class ContextStatistics:
    """The scores of one context, or of a whole source.

    ``count`` conversations were scored and ``unreviewed`` were not; figures are None if ``count`` is 0.
    ``share_at_or_over`` is a share of 0 to 1, counted, not modelled. ``histogram`` maps a score to its number
    of conversations. Intervals are 95 % ones; that of P95 has no upper end if there are too few conversations.
    ``direct_identifiers`` is the number of conversations with a readable direct identifier, if known;
    ``naming_somebody``, of those with a person's name readable in whole or in part.
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
    mean_interval: tuple[float, float] | None = None
    std_interval: tuple[float, float] | None = None
    p95_interval: tuple[int, int | None] | None = None
    direct_interval: tuple[float, float] | None = None


_Measured = TypeVar("_Measured", Failure, ContextStatistics)


@dataclass(frozen=True, slots=True)
class SourceStatistics:
    """The scores of one source; sources are never added up together."""

    source: Source
    rows: tuple[ContextStatistics, ...]
    total: ContextStatistics


class Masked(NamedTuple):
    """How much of one infoType was masked: mentions, and the entities that they mean."""

    info_type: str
    findings: int
    entities: int


@dataclass(frozen=True, slots=True)
class TagCounts:
    """Masked and missed data of one tag of the score table, and the points of one missed entity.

    ``masked`` are the infoTypes that count as the tag. ``missed`` counts entities that stayed entirely
    readable, ``missed_partial`` those partly readable. Without ``tag``, it is for an infoType that counts as
    none; ``None`` means that a figure does not exist.
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
        """The name of the row."""
        return self.tag or self.masked[0].info_type

    @property
    def findings(self) -> int | None:
        """Masked mentions; None if no infoType that was looked for counts as the tag."""
        return sum(of.findings for of in self.masked) if self.masked else None

    @property
    def entities(self) -> int | None:
        """Masked entities, by infoType."""
        return sum(of.entities for of in self.masked) if self.masked else None

    @property
    def points(self) -> int:
        """The points that everything missed adds to the scores of its conversations."""
        return self.missed * (self.score or 0) + self.missed_partial * (self.score_partial or 0)


@dataclass(frozen=True, slots=True)
class UnscoredLabel:
    """A label that the score table excludes by decision: its readable mentions, and the reason."""

    label: str
    places: int
    reason: str


@dataclass(frozen=True, slots=True)
class QuarantineCount:
    """Input rows quarantined at one stage with one error class."""

    stage: str
    error: str
    rows: int


@dataclass(frozen=True, slots=True)
class RowBalance:
    """What happened to the input rows.

    Rows in = rows out + quarantined + dropped by request + not read by request + erased, or something was lost.
    ``rows_valid`` of those out fit the JSON Schema of their shape; None where none are written.
    """

    rows_in: int
    rows_out: int
    rows_quarantined: int
    quarantine: tuple[QuarantineCount, ...] = ()
    rows_dropped: int = 0
    rows_not_read: int = 0
    rows_erased: int = 0
    rows_valid: int | None = None

    @property
    def accounted(self) -> int:
        """The number of rows that are accounted for."""
        left_out = self.rows_quarantined + self.rows_dropped + self.rows_not_read + self.rows_erased
        return self.rows_out + left_out

    @property
    def balanced(self) -> bool:
        """Whether no row was lost or duplicated, and the quarantine's own count agrees."""
        return (
            self.rows_in == self.accounted
            and sum(entry.rows for entry in self.quarantine) == self.rows_quarantined
        )


@dataclass(frozen=True, slots=True)
class CorpusSize:
    """The size of the input, and its shape."""

    work_units: int
    conversations: int
    turns: int
    characters: int
    shape: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Text that a model skipped because it expected no findings, and the findings in a sample of it.

    ``what`` is turns or places; ``share_missed`` is estimated from the sample, None if that is empty.
    """

    what: Literal["turns", "places"]
    all: int
    left_out: int
    sampled: int
    findings_in_sampled: int
    share_missed: float | None


class LanguageShare(NamedTuple):
    """The share of a language in the corpus, and whether the detectors cover it.

    ``covered`` is None for text in no language, such as numbers; ``accepted`` is the user's reason for
    accepting a language that they do not cover.
    """

    name: str
    turns: int
    conversations: int
    covered: bool | None
    accepted: str | None = None


@dataclass(frozen=True, slots=True)
class FieldUse:
    """What happened to input fields that do not belong to the shape.

    ``kept`` were anonymised like text, ``opaque`` (with the reason) copied unchanged, ``dropped`` left out;
    ``dropped_unnamed`` counts those whose names may be data themselves.
    """

    kept: tuple[str, ...] = ()
    opaque: tuple[tuple[str, str], ...] = ()
    dropped: tuple[str, ...] = ()
    dropped_unnamed: int = 0


class WorstConversation(NamedTuple):
    """A high-scoring conversation, by id."""

    source: Source
    conversation_id: str
    context: str
    score: int
    direct_identifier: bool


class ClassSize(NamedTuple):
    """How many combinations of indirect identifiers occur ``least`` to ``most`` times, and in how much."""

    least: int
    most: int | None
    combinations: int
    conversations: int


class Identifiability(NamedTuple):
    """What is left to single out and to link, by one source; figures as in ``scoring.identifiability``.

    ``identified`` of ``conversations`` had a direct identifier before; None if nothing says so.
    ``tokens_link``: tokens are the same in all conversations on purpose.
    """

    source: Source
    scored: int
    direct: int
    direct_interval: tuple[float, float]
    indirect: int
    clean: int
    unique: int
    unique_interval: tuple[float, float]
    classes: tuple[ClassSize, ...]
    combinations_exact: bool
    least_k: int | None
    average_risk: float
    maximum_risk: float
    values: int
    values_exact: bool
    values_that_link: int
    occurrences_linked: int
    most_linked_by_one: int
    conversations: int
    identified: int | None
    tokens_link: bool
    population: "InPopulation | None" = None


class InPopulation(NamedTuple):
    """What is left compared with a population of which shares of values are known (``scoring.population``).

    Of the ``conversations`` without a direct identifier, ``with_values`` of the shares; ``unique`` is how many
    of them are expected to be of somebody whom nobody else is like, ``small`` how many have values that fewer
    than 11 people are expected to share. ``average_risk`` is of all, 1 with a direct identifier.
    """

    people: int
    conversations: int
    with_values: int
    unique: float
    small: int
    small_interval: tuple[float, float]
    average_risk: float


class Linkability(NamedTuple):
    """Whether style joins texts of one person (``evaluating.style``); of one conversation without ``by``.

    ``by`` is the field that tells people apart, ``speakers`` whose turns were compared, all if None.
    """

    by: str | None
    speakers: tuple[str, ...] | None
    compared: int
    texts: int
    joined: int
    share: float
    interval: tuple[float, float]
    by_chance: float
    is_sample: bool


class CategoryCounts(NamedTuple):
    """A category of a law: whether and by what it was looked for, what was found, and what is left."""

    section: str
    name: str
    looked_for: str
    info_types: tuple[str, ...]
    found: int
    left: int
    left_partial: int


class ContextAnswer(NamedTuple):
    """A question on the context of use, and its answer; None if there is none."""

    id: str
    topic: str
    question: str
    answer: str | None


class Comparison(NamedTuple):
    """Changes against an earlier run: its folder, the hashes of what was read there, and the changes."""

    folder: str
    manifest_sha256: str
    statistics_sha256: str
    changes: tuple[Changes, ...]


class Predicted(NamedTuple):
    """What suspicions predict for a context, each figure with the ends of a 95 % interval."""

    conversations: int
    mean: tuple[float, float, float]
    std: tuple[float, float, float]
    p95: tuple[float, float, float]
    share: tuple[float, float, float]
    direct: tuple[float, float, float]


class MissedByBoth(NamedTuple):
    """Entities of one kind that two looks saw, and what both miss with a 95 % interval over odds ratios.

    ``most`` of them, at the greatest odds ratio, are in the upper end of the mean, each with ``points``.
    """

    kind: str
    both: float
    first: float
    second: float
    missed: float
    interval: tuple[float, float]
    odds_ratio: tuple[float, float]
    most: float
    points: float


class Prediction(NamedTuple):
    """Each context with its figures, then "" with the total; or why there are none.

    ``missed`` is of the whole corpus, by kind.
    """

    contexts: tuple[tuple[str, Predicted], ...] = ()
    missed: tuple[MissedByBoth, ...] = ()
    refused: str | None = None


class Counted(NamedTuple):
    """Conversations with something in common, of a sample: a share with an exact 95 % interval and bound."""

    number: int
    share: float
    interval: tuple[float, float]
    at_most: float


class RedTeam(NamedTuple):
    """What people found who tried to identify somebody in conversations without marks."""

    conversations: int
    members: str
    nothing_found: Counted
    personal_data_left: Counted
    somebody_identified: Counted


@dataclass(frozen=True, slots=True)
class Run:
    """What was read, by whom and when, and the resulting corpus.

    ``inputs`` are the first of the given URLs and ``more_inputs`` the number of others; ``files`` and
    ``bytes`` are what they contained. ``date`` and ``operator`` are given by the user; ``corpus_hash`` is
    that of the manifest; None if missing. ``readers`` are the people who read conversations, in words; empty
    if none did.
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
    """Everything that must be equal to reproduce the figures.

    ``detectors`` are described in words, as ``rules`` or ``model kb-ner 3``; empty if none ran, as when only
    marks of reviewers are scored.
    """

    tacenda: str
    config_hash: str
    score_table_version: str
    score_table_preset: str
    detectors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportData:
    """The contents of the report.

    ``config_yaml`` is the effective config; ``unscored_labels`` are those that add nothing to a score.
    ``ddof`` is subtracted from the number of conversations in the divisor of standard deviations. ``worst``
    are the conversations with the highest scores by the leading source; ``not_looked_at`` has sentences on
    what the figures do not cover. ``estimate`` has each context with its estimate, then "" with the total;
    none if there is no estimate. ``prediction`` is what the calibrated second look predicts.
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
    red_team: RedTeam | None = None
    comparison: Comparison | None = None
    identifiability: Identifiability | None = None
    linkability: Linkability | None = None
    hipaa: tuple[CategoryCounts, ...] = ()
    context: tuple[ContextAnswer, ...] = ()
    estimate: tuple[tuple[str, Estimate], ...] = ()
    prediction: Prediction | None = None

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

    Deciding sources come first; tags are sorted by the points of what was missed, then by the number missed,
    then by the number masked; contexts keep their order, but if there are too many, those with the highest
    mean plus deviation are shown.
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
            narrow=NARROW,
            deciding=deciding,
            worst=_highest([row for entry in deciding for row in entry.rows], "mu_plus_sigma"),
            likeliest=_highest([entry.total for entry in deciding], "share_at_or_over"),
            highest=_highest([entry.total for entry in deciding], "max"),
            sources=[
                (entry, rows, *_drawn(rows, entry.total, report.verdict.threshold))
                for entry in (*deciding, *report.others)
                for rows in [_foremost(entry.rows)]
            ],
            failures=_foremost(report.verdict.failures, max(2, _MOST_REASONS - len(report.verdict.problems))),
            tags=tags,
            longest_bar=max(*masked, *missed, 0, 0),
            most_reasons=_MOST_REASONS,
            unscored_labels=sorted(report.unscored_labels, key=lambda entry: (-entry.places, entry.label)),
            quarantine=sorted(
                report.rows.quarantine, key=lambda entry: (-entry.rows, entry.stage, entry.error)
            ),
        )
    )


def _highest(rows: Sequence[ContextStatistics], figure: str) -> ContextStatistics | None:
    """The row with the highest value of a figure; None if no row has it."""
    known = [row for row in rows if getattr(row, figure) is not None]
    return max(known, key=attrgetter(figure), default=None)


def _foremost(entries: Sequence[_Measured], most: int = _MOST_CONTEXTS) -> Sequence[_Measured]:
    """All entries; if there are too many, those without a figure, then those with the highest."""
    if len(entries) <= most:
        return entries
    figures = (math.inf if entry.mu_plus_sigma is None else entry.mu_plus_sigma for entry in entries)
    ranked = sorted(zip(figures, entries, strict=True), key=itemgetter(0), reverse=True)
    return [entry for _, entry in ranked[:most]]


def _drawn(
    rows: Sequence[ContextStatistics], total: ContextStatistics, threshold: float
) -> tuple[list[tuple[ContextStatistics, charts.Histogram, int]], Tail | None]:
    """The histograms of a source, and its tail; None without scores."""
    return _panels(rows, total, threshold), tail(total.histogram, threshold) if total.count else None


def _panels(
    contexts: Sequence[ContextStatistics], total: ContextStatistics, threshold: float
) -> list[tuple[ContextStatistics, charts.Histogram, int]]:
    """A histogram for each context, and for the total unless it is the same as its only context."""
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
    environment = page_environment(_Compiled())
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
    """The templates beside this file, compiled once per machine, which takes longer than rendering them."""

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
    """The first characters of a possibly long text."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
