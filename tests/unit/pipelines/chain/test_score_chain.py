from typing import Any

import pytest

from tacenda.pipelines.chain.score_chain import ScoreChain
from tacenda.transforms.reviewing.spans_files import ReviewedSpan
from tacenda.transforms.schema.conversation import AnnotatedSpan, Annotation
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.scoring.score_table import ScoreTable
from tests.cases import cases

NAME = ScoreTable.load().rows["PERSON_NAME"]
SCORES = {"WHOLE": NAME.score, "PARTIAL": NAME.partial_score, "THREE_PARTS": 3 * NAME.partial_score}


@pytest.mark.parametrize(
    "case", [pytest.param(one, id=one["title"]) for one in cases(__file__, "test_marks_are_scored")]
)
def test_marks_are_scored(batch, case: dict[str, Any]):
    spans: dict[tuple[int, int], list[AnnotatedSpan]] = {}
    for i, turn, *span in case.get("spans", ()):
        spans.setdefault((i, turn), []).append(AnnotatedSpan(*span))
    of = batch(*case["turns"], spans=spans, annotations=[*map(Annotation, case.get("annotated", ()))])
    of.readers = case.get("readers", of.readers)
    if "places" in case:
        of.turns, of.parts = map(list, zip(*case["places"], strict=True))
    reviews = {
        name: [ReviewedSpan(turn, part, AnnotatedSpan(*span)) for turn, part, *span in marked]
        for name, marked in case.get("reviews", {}).items()
    }
    options = {name: case[name] for name in ("all_reviewed", "variant_clustering") if name in case}
    outcome = ScoreChain(ScoreTable.load(), reviews, **options).run(of)
    became = {
        "scored": [[s, r and r.score] for s, r in zip(outcome.sources, outcome.risks, strict=True)],
        "texts": outcome.texts,
        "speakers": outcome.speakers,
        "found": outcome.findings,
        "read": outcome.totals.readers,
    }
    expected = {name: case[name] for name in became if name in case}
    if "scored" in expected:
        expected["scored"] = [[source, SCORES.get(score, score)] for source, score in case["scored"]]
    assert {name: became[name] for name in expected} == expected
    assert [one.error for one in outcome.rejections] == case.get("rejected", [])
    assert {one.stage for one in outcome.rejections} <= {Stage.SCORE}
    assert len(outcome.batch) + len(outcome.rejections) == len(of)
