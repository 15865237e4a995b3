from tacenda.pipelines.output.next_steps import is_held_by_scores, next_steps
from tacenda.transforms.releasing.verdict import DEFAULT_GATE, Judgement, State

SCORES = "calls: mean + standard deviation is 7.6"
ROWS = "quarantined: 100 of 100 rows"


def _held(*problems: str, scores: bool) -> Judgement:
    held_by = (*problems, SCORES) if scores else problems
    return Judgement(State.HELD, DEFAULT_GATE, None, held_by=held_by, problems=problems)


def test_people_are_asked_only_if_their_reading_can_release() -> None:
    reviews = [
        any("review sample" in step for step in next_steps(judgement, "anonymize", 20))
        for judgement in (
            Judgement(State.UNREVIEWED, DEFAULT_GATE, "self_check"),
            _held(scores=True),
            _held(ROWS, scores=True),
            _held(ROWS, scores=False),
            Judgement(State.RELEASED, DEFAULT_GATE, "human"),
        )
    ]
    assert reviews == [True, True, False, False, False]


def test_remaining_data_is_spoken_of_only_if_scores_hold_the_corpus() -> None:
    assert any("remaining data" in step for step in next_steps(_held(ROWS, scores=True), "anonymize", 20))
    rows = next_steps(_held(ROWS, scores=False), "anonymize", 20)
    assert not any("remaining data" in step or "--drop-over" in step for step in rows)
    assert any("held by" in step for step in rows)
    assert not is_held_by_scores([ROWS], [ROWS])
    assert is_held_by_scores([ROWS, SCORES], [ROWS])


def test_other_commands_have_no_corpus_to_release() -> None:
    assert next_steps(_held(scores=True), "score", 20) == []
