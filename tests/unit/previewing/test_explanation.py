from tacenda.transforms.previewing.explanation import (
    ExplainedEntity,
    ExplainedMention,
    ExplainedResidual,
    Explanation,
    Sight,
    lines,
)

SIGHTS = (
    Sight("rules", "EMAIL_ADDRESS", "VERY_LIKELY", 3, 9, ("pattern 1 of 2, LIKELY", 'hotword "mail"')),
    Sight("model", "URL", "POSSIBLE", 5, 9),
)
MENTIONS = (
    ExplainedMention("turn 0 and 3 more", None, None, "a@b.se", "", "speaker label", (), "the first mention"),
    ExplainedMention(
        "turn 1", 3, 9, "a@b\n\x1b", "VERY_LIKELY", "rules", SIGHTS, "the same value, as in turn 0"
    ),
)


def explained(score: int | None = 3) -> Explanation:
    residuals = (
        ExplainedResidual("turn 2", "Ann", "PERSON_NAME", True, False, "PERSON_NAME", 3),
        ExplainedResidual("turn 4", "Ann", "PERSON_NAME", True, True, "PERSON_NAME", 0),
        ExplainedResidual("turn 5", "7", "NUMERIC", False, False, None, 0),
    )
    entity = ExplainedEntity(1, "EMAIL_ADDRESS", "[EMAIL_ADDRESS_1]", MENTIONS)
    return Explanation("c1", "sales", (entity,), score, "model", residuals if score is not None else ())


def test_each_span_number_and_point_has_a_reason() -> None:
    assert list(lines(explained())) == [
        "c1 · sales",
        "",
        "What was replaced",
        "",
        "[EMAIL_ADDRESS_1]  EMAIL_ADDRESS, 2 mentions",
        '  turn 0 and 3 more  "a@b.se"  by speaker label',
        "      its number: the first mention",
        '  turn 1, 3-9  "a@b\\n\\u001b"  by rules, VERY_LIKELY',
        '      rules saw EMAIL_ADDRESS, VERY_LIKELY: pattern 1 of 2, LIKELY; hotword "mail"',
        "      model saw URL, POSSIBLE, 5-9",
        "      its number: the same value, as in turn 0",
        "",
        "What is left: risk 3, by model",
        '  turn 2  "Ann"  PERSON_NAME partial, PERSON_NAME: 3 points',
        '  turn 4  "Ann"  PERSON_NAME partial of a speaker, PERSON_NAME: no points, counted with another',
        '  turn 5  "7"  NUMERIC, not scored: no points',
    ]


def test_nothing_is_reported_as_nothing() -> None:
    told = Explanation("c1", "", (), None, None, ())
    assert list(lines(told)) == ["c1", "", "Nothing was replaced", "", "What is left: nobody looked"]
