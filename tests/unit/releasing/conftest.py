"""Reports as from a run."""

import itertools
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from tacenda.transforms.releasing.comparison import Changes, Row
from tacenda.transforms.releasing.report import (
    CategoryCounts,
    ClassSize,
    Comparison,
    ContextAnswer,
    ContextStatistics,
    CorpusSize,
    Counted,
    Failure,
    FieldUse,
    Identifiability,
    InPopulation,
    LanguageShare,
    Linkability,
    Masked,
    MissedByBoth,
    Predicted,
    Prediction,
    QuarantineCount,
    RedTeam,
    ReportData,
    RowBalance,
    Run,
    Source,
    SourceStatistics,
    TagCounts,
    UnscoredLabel,
    Verdict,
    Versions,
    WorstConversation,
)
from tacenda.transforms.releasing.verdict import Ground
from tacenda.transforms.scoring.combined import Estimate
from tacenda.transforms.scoring.intervals import exact_interval

THRESHOLD = 5.0


def statistics(context: str, histogram: Mapping[int, int], unreviewed: int = 0) -> ContextStatistics:
    scores = np.repeat(np.array(list(histogram), dtype=float), list(histogram.values()))
    if not len(scores):
        return ContextStatistics(context, 0, unreviewed, None, None, None, None, None, None, None, False)
    mean, std = float(scores.mean()), float(scores.std())
    return ContextStatistics(
        context=context,
        count=len(scores),
        unreviewed=unreviewed,
        mean=mean,
        std=std,
        p95=float(np.percentile(scores, 95)),
        max=float(scores.max()),
        mu_plus_sigma=mean + std,
        mu_plus_2sigma=mean + 2 * std,
        share_at_or_over=float((scores >= THRESHOLD).mean()),
        passed=mean + std < THRESHOLD,
        histogram=dict(histogram),
        share_interval=exact_interval(int((scores >= THRESHOLD).sum()), len(scores)),
        direct_identifiers=int((scores >= THRESHOLD + 1).sum()),
        naming_somebody=int((scores >= 3).sum()),
        mu_plus_sigma_interval=(mean + 0.8 * std, mean + 1.3 * std),
        mean_interval=(0.8 * mean, 1.3 * mean),
        std_interval=(0.9 * std, 1.2 * std),
        p95_interval=(1, None) if len(scores) < 72 else (1, 9),
        direct_interval=exact_interval(int((scores >= THRESHOLD + 1).sum()), len(scores)),
    )


def source(name: Source, contexts: Mapping[str, Mapping[int, int]], unreviewed: int = 0) -> SourceStatistics:
    total: dict[int, int] = {}
    for histogram in contexts.values():
        for score, count in histogram.items():
            total[score] = total.get(score, 0) + count
    rows = tuple(statistics(context, histogram, unreviewed) for context, histogram in contexts.items())
    return SourceStatistics(name, rows, statistics("", total, unreviewed * len(rows)))


CONTEXTS: dict[str, dict[int, int]] = {
    "Customer Support 1": {0: 73, 1: 9, 2: 7, 3: 6, 4: 2, 5: 2, 6: 1},
    "Customer Support 2": {0: 58, 1: 11, 2: 9, 3: 11, 4: 2, 5: 1, 6: 4, 8: 1, 11: 1},
    "Meetings": {0: 72, 1: 6, 2: 5, 3: 7, 4: 1, 5: 2, 6: 1, 7: 2, 12: 1, 17: 1, 20: 1},
    "Sales Calls": {0: 76, 1: 8, 2: 6, 3: 6, 4: 2, 5: 1, 6: 1},
    "1-to-1 Phone Calls": {0: 65, 1: 10, 2: 8, 3: 8, 4: 3, 5: 4, 6: 1, 8: 1},
}
HELD_MEETINGS = {0: 61, 1: 6, 2: 5, 3: 7, 4: 4, 5: 5, 6: 3, 8: 3, 12: 2, 17: 1, 20: 1, 31: 1}

TAGS = (
    TagCounts("PERSON_NAME", (Masked("PERSON_NAME", 41_208, 17_913),), 12, 118, 5, 3, True),
    TagCounts("ORGANIZATION_NAME", (Masked("ORGANIZATION_NAME", 12_744, 6_020),), 44, 9, 0, 0),
    TagCounts("ORGANIZATION_NAME_SPEAKER", (), 31, 4, 2, 1),
    TagCounts("PHONE", (Masked("PHONE_NUMBER", 9_871, 6_402),), 2, 7, 4, 2, True),
    TagCounts("EMAIL", (Masked("EMAIL_ADDRESS", 3_317, 2_904),), 1, 14, 4, 2, True),
    TagCounts("LOCATION", (Masked("LOCATION", 7_450, 4_131), Masked("ZIP_CODE", 311, 290)), 19, 3, 2, 1),
    TagCounts("ADDRESS", (Masked("STREET_ADDRESS", 1_102, 987),), 0, 5, 4, 2, True),
    TagCounts(
        "SSN",
        (Masked("SWEDEN_NATIONAL_ID_NUMBER", 640, 611), Masked("US_SOCIAL_SECURITY_NUMBER", 131, 120)),
        2,
        0,
        5,
        3,
        True,
    ),
    TagCounts("CREDIT_CARD_NUMBER", (Masked("CREDIT_CARD_NUMBER", 288, 270),), 0, 0, 5, 3, True),
    TagCounts("URL", (Masked("URL", 415, 377),), 6, 0, 2, 1),
    TagCounts(None, (Masked("DATE", 20_119, 15_002),)),
)

CONFIG = """\
inspect:
  min_likelihood: "POSSIBLE"
  info_types: ["PERSON_NAME", "EMAIL_ADDRESS", "PHONE_NUMBER"]

  custom_info_types:
    - info_type: {name: "NUMERIC"}
      regex: {pattern: "[0-9]{3,}"}
deidentify:
  policy: "token"
risk:
  threshold: 5
  gate: "human"
"""


RUN = Run(
    inputs=("s3://calls/2024/q1/*.parquet", "s3://calls/2024/q2/*.parquet"),
    files=24,
    bytes=61_443_201,
    date="2024-03-21",
    operator="Pam Beesly, data engineering",
    corpus_hash="9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab",
)
WORST = tuple(
    WorstConversation("human", f"call-2024-{number:05}", context, score, score >= 6)
    for number, context, score in (
        (4711, "Meetings", 20), (1207, "Meetings", 17), (88, "Meetings", 12), (3021, "Customer Support 2", 11),
        (17, "Customer Support 2", 8), (930, "1-to-1 Phone Calls", 8), (2, "Meetings", 7), (5, "Meetings", 7),
        (612, "Sales Calls", 6),
    )
)  # fmt: skip
NOT_LOOKED_AT = (
    "13 of 7,510 rows are in quarantine and not in the corpus.",
    "7,000 conversations were not reviewed and have no score.",
    "7 readable places of kinds that add nothing to a score: HOBBY, PET_NAME.",
)


def report() -> ReportData:
    return ReportData(
        verdict=Verdict(released=True, threshold=THRESHOLD, source="human", deciding=("human",)),
        sources=(
            source("model", {name: {0: 940, 1: 31, 2: 20, 5: 9} for name in CONTEXTS}),
            source("human", CONTEXTS, 1400),
        ),
        tags=TAGS,
        rows=RowBalance(
            7_510,
            7_497,
            13,
            (
                QuarantineCount("read", "InvalidJson", 9),
                QuarantineCount("read", "NullText", 3),
                QuarantineCount("replace", "OverlappingSpans", 1),
            ),
        ),
        corpus=CorpusSize(24, 7_497, 191_204, 14_882_377, "conversation"),
        versions=Versions(
            tacenda="0.1.0",
            config_hash="5f2c1e0b9a7d4c83e6f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7",
            score_table_version="2024.1",
            score_table_preset="appendix",
        ),
        config_yaml=CONFIG,
        unscored_labels=(
            UnscoredLabel("PET_NAME", 2, "Names no person."),
            UnscoredLabel("HOBBY", 5, "Indirect."),
        ),
        run=RUN,
        worst=WORST,
        not_looked_at=NOT_LOOKED_AT,
        languages=(
            LanguageShare("English", 180_000, 7_300, True),
            LanguageShare("Hindi", 900, 40, False),
            LanguageShare("Finnish", 60, 3, False, "read by hand"),
            LanguageShare("(none)", 10_000, 5_000, None),
        ),
        fields=FieldUse(("summary",), (("audio_hash", "a digest"),), ("raw", "agent_notes"), 2),
        identifiability=IDENTIFIABILITY,
        hipaa=(
            CategoryCounts("A", "names", "yes", ("PERSON_NAME",), 41_208, 12, 118),
            CategoryCounts("P", "biometric identifiers", "no", (), 0, 0, 0),
        ),
        context=(
            ContextAnswer("purpose", "context", "What for?", "An assistant for service."),
            ContextAnswer("harm", "context", "What harm?", None),
        ),
    )


@pytest.fixture
def released() -> ReportData:
    return report()


@pytest.fixture
def held() -> ReportData:
    contexts = {**CONTEXTS, "Meetings": HELD_MEETINGS}
    scores = source("human", contexts)
    failure = Failure("Meetings", scores.rows[2].mu_plus_sigma)
    return replace(report(), verdict=Verdict(False, THRESHOLD, "human", (failure,)), sources=(scores,))


@pytest.fixture
def by_hand(held: ReportData) -> ReportData:
    reason = "Meetings were recorded in a role play; all names in them are invented (ticket 4711)."
    return replace(held, verdict=replace(held.verdict, released=True, override_reason=reason))


@pytest.fixture
def unreviewed() -> ReportData:
    verdict = Verdict(
        False,
        THRESHOLD,
        "model",
        lacks=("nobody reviewed it",),
        rests_on=(
            Ground("a self-check of 5000 conversations: only the detectors that replaced text read it again"),
            Ground("URL scores 0 instead of 2", True),
        ),
        next_steps=("draw conversations for people to read", "release the corpus by what they marked"),
    )
    worst = tuple(one._replace(source="model") for one in WORST)
    return replace(report(), verdict=verdict, sources=report().sources[:1], worst=worst)


@pytest.fixture
def nothing_scored() -> ReportData:
    return replace(
        report(),
        verdict=Verdict(False, THRESHOLD, "model"),
        sources=(source("model", {}),),
        tags=(),
        rows=RowBalance(0, 0, 0),
        corpus=CorpusSize(0, 0, 0, 0, "document"),
        unscored_labels=(),
        run=Run(),
        worst=(),
        not_looked_at=(),
        languages=(),
        fields=FieldUse(),
        identifiability=None,
        hipaa=(),
        context=(),
    )


@pytest.fixture
def hostile() -> ReportData:
    script = "<script>alert(1)</script>"
    scores = source(
        "model", {script: {0: 3, 5: 1}, "": {0: 4}, '"><img src=x onerror=y>': {7: 1}, "abc\u202etxt": {0: 2}}
    )
    return replace(
        report(),
        verdict=Verdict(
            True,
            THRESHOLD,
            "model",
            (Failure(script, 9.0),),
            f"because {script}",
            lacks=(script,),
            rests_on=(Ground(script, True),),
            next_steps=(script,),
        ),
        sources=(scores,),
        tags=(
            TagCounts(script, (Masked(script, 1, 1),), 0, 0, 1, 1),
            TagCounts(None, (Masked(script, 1, 1),)),
        ),
        rows=RowBalance(10, 8, 2, (QuarantineCount(script, script, 2),)),
        corpus=CorpusSize(1, 11, 20, 300, script),
        versions=Versions(script, script, script, script, (script,)),
        config_yaml=f"a: '{script}</pre></details>'\n\nb: \ud800\n",
        unscored_labels=(UnscoredLabel(script, 1, script),),
        run=Run((script, "a" * 5_000), 3, 1, 2, script, script, script),
        worst=(WorstConversation("model", f"{script}\u202e", script, 9, True),),
        not_looked_at=(script,),
        languages=(LanguageShare(script, 1, 1, False, script),),
        fields=FieldUse((script,), ((script, script),), (script,), 1),
        hipaa=(CategoryCounts(script, script, script, (script,), 1, 1, 1),),
        context=(ContextAnswer(script, script, script, script), ContextAnswer(script, script, script, None)),
        comparison=Comparison(
            script, script, script, (Changes(script, True, (Row(script, script, script, script),), 1, 1),)
        ),
        red_team=RedTeam(200, script, LEFT, LEFT, Counted(1, 0.005, (0, 0.03), 0.02)),
        estimate=(
            (script, Estimate(900, 40, 1.2, (0.4, 2.1), 110, 640, 30, 2, (0.01, 0.22), 0.2)),
            ("", OF_ALL),
        ),
    )


IDENTIFIABILITY = Identifiability(
    "human", 497, 9, (0.008, 0.034), 60, 428, 31, (0.043, 0.088),
    (ClassSize(1, 1, 31, 31), ClassSize(2, 2, 6, 12), ClassSize(11, None, 1, 17)),
    True, 1, 0.0966, 1.0, 14, True, 2, 5, 3, 7_497, 7_001, False,
)  # fmt: skip


LEFT = Counted(18, 0.09, (0.054, 0.139), 0.131)
OF_ALL = Estimate(1000, 60, 1.25, (0.5, 2.0), 110, 700, 45, 2, (0.005, 0.151), 0.133)


def everything() -> ReportData:
    """A report that has every part."""
    nobody = Counted(0, 0, (0, 0.018), 0.0149)
    return replace(
        report(),
        comparison=Comparison(
            "s3://clean/earlier",
            "9c" * 32,
            "0f" * 32,
            (
                Changes("Volumes", False, (Row("turns", "10", "20", "+10 (+100.0 %)"),), 3),
                Changes("Config", True, (Row("inspect.rule_set", "a" * 200, "–", ""),), 0),
            ),
        ),
        red_team=RedTeam(
            200, "Jim (100) and Pam (100)", Counted(182, 0.91, (0.86, 0.95), 0.94), LEFT, nobody
        ),
        estimate=(("", OF_ALL),),
        identifiability=IDENTIFIABILITY._replace(
            population=InPopulation(10_500_000, 488, 44, 2.5, 7, (0.0058, 0.0293), 0.0231)
        ),
        linkability=Linkability("customer", ("Caller",), 200, 410, 31, 0.155, (0.108, 0.213), 0.0024, True),
        prediction=Prediction(
            (
                ("Meetings", Predicted(400, *[(0.5, 0.1, 2.25)] * 2, (3, 1, 8), *[(0.02, 0, 0.081)] * 2)),
                ("", Predicted(1000, *[(0.4, 0.1, 1.5)] * 2, (3, 1, 7), *[(0.01, 0, 0.061)] * 2)),
            ),
            (MissedByBoth("PERSON_NAME", 410.5, 38.2, 2.4, 0.88, (0.1, 9.5), (3.1, 10.5), 2.34, 3.22),),
        ),
    )


@pytest.fixture
def with_people() -> ReportData:
    """A report with an estimate, and what a red team found."""
    return everything()


@pytest.fixture
def many_contexts() -> ReportData:
    rng = np.random.default_rng(7)
    departments = (
        "Kundtjänst",
        "Internationale Rechtsschutzversicherungsberatung",
        "Sales",
        "Återförsäljarstöd för privatkunder",
    )
    contexts = {}
    for number, name in zip(range(40), itertools.cycle(departments), strict=False):
        scores = np.where(rng.random(9_000) < 0.8, 0, rng.geometric(0.35, 9_000))
        values, counts = np.unique(scores, return_counts=True)
        contexts[f"{name} / {number:02d}"] = dict(zip(values.tolist(), counts.tolist(), strict=True))
    contexts[""] = {0: 1_234_567, 1: 40_321, 2: 3_000, 5: 12}
    return replace(report(), verdict=Verdict(True, THRESHOLD, "gold"), sources=(source("gold", contexts),))
