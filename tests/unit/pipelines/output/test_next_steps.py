from tacenda.pipelines.output.next_steps import figures_in_words, is_held_by_scores, next_steps
from tacenda.transforms.releasing.verdict import DEFAULT_GATE, Judgement, State
from tacenda.transforms.scoring.bounds import Reading

SCORES = "calls: mean + standard deviation is 7.6"
ROWS = "quarantined: 100 of 100 rows"


def _held(*problems: str, scores: bool) -> Judgement:
    held_by = (*problems, SCORES) if scores else problems
    return Judgement(State.HELD, DEFAULT_GATE, None, held_by=held_by, problems=problems)


def test_people_are_asked_only_if_their_reading_can_release() -> None:
    reviews = [
        any("review sample" in step for step in next_steps(judgement, "anonymize"))
        for judgement in (
            Judgement(State.UNREVIEWED, DEFAULT_GATE, None),
            _held(scores=True),
            _held(ROWS, scores=True),
            _held(ROWS, scores=False),
            Judgement(State.RELEASED, DEFAULT_GATE, "human"),
        )
    ]
    assert reviews == [True, True, False, False, False]


def test_what_holds_a_run_decides_what_to_do() -> None:
    rows = next_steps(_held(ROWS, scores=False), "anonymize")
    assert any("held by" in step for step in rows)
    assert any("extend the config" in step for step in next_steps(_held(scores=True), "anonymize"))
    assert not is_held_by_scores([ROWS], [ROWS])
    assert is_held_by_scores([ROWS, SCORES], [ROWS])


def test_other_commands_have_no_corpus_to_release() -> None:
    assert next_steps(_held(scores=True), "score") == []


def test_the_figures_are_told_with_their_bounds() -> None:
    figures = Reading("human", 10_000, 300, 1, 30, read=310).to_json()
    lines = list(figures_in_words({"figures": figures, "direct_identifiers_at_most": 0.02}))
    assert lines == [
        "read by people: 310 of 10,000 conversations",
        "a direct identifier readable: in 1, at most 1.55% of all (95 %); limit 0.02",
        "somebody named: in 30, at most 13.26% of all (95 %)",
    ]
    assert not list(figures_in_words({"figures": None}))
