import numpy as np

from tacenda.transforms.evaluating.matches import NAMED_SPEAKER, UNSAID, concatenated


def test_matches_of_parts_are_concatenated(corpus):
    one = corpus(("a:CITY", ""), ("b:CITY", "b:CITY c:DATE"))
    other = corpus(("", ""), ("d:DATE", "d:CITY"))
    whole = concatenated([one, other])
    assert whole.conversations.num_rows == 4
    assert whole.spans["conversation"].to_pylist() == [0, 1, 3]
    assert whole.findings["conversation"].to_pylist() == [1, 1, 3]
    assert concatenated([]).spans.num_rows == 0


def test_selected_conversations_are_renumbered(corpus):
    matches = corpus(("a:CITY", "a:CITY"), ("b:CITY", ""), ("c:CITY", "c:CITY d:CITY"))
    chosen = matches.of_conversations(np.array([False, True, True]))
    assert chosen.conversations["id"].to_pylist() == ["c1", "c2"]
    assert chosen.spans["conversation"].to_pylist() == [0, 1]
    assert chosen.findings["conversation"].to_pylist() == [1, 1]


def test_a_rejected_conversation_keeps_its_spans_as_missed(corpus):
    matches = corpus(("a:CITY b:CITY", None))
    assert matches.conversations["rejected"].to_pylist() == [True]
    assert matches.spans["covered_chars"].to_pylist() == [0, 0]
    assert matches.findings.num_rows == 0


def test_speakers_are_reported_by_role_and_never_by_name(corpus):
    matches = corpus(
        *[("a:CITY", "", {"speaker": label}) for label in ("Agent", "Pam Beesly", "", None, "Agent_2", "3")]
    )
    assert matches.spans["speaker"].to_pylist() == ["agent", NAMED_SPEAKER, UNSAID, UNSAID, "agent", UNSAID]
    assert matches.of("speaker", "agent").conversations["id"].to_pylist() == ["c0", "c4"]
