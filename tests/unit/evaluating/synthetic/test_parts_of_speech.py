from tacenda.transforms.evaluating.synthetic.parts_of_speech import compare_tags, tags_of


def test_tags_are_a_list_or_words() -> None:
    assert tags_of(" DET  NOUN ") == ("DET", "NOUN")
    assert tags_of([1, "X"]) == ("1", "X")
    assert tags_of({"a": 1}) == ()


def test_shares_are_compared_with_samples_of_the_source() -> None:
    found = compare_tags({"NOUN": 6, "VERB": 2}, [{"NOUN": 1, "VERB": 1}, {"NOUN": 3, "ADJ": 1}])
    # Of the samples: nouns .5 and .75, verbs .5 and 0, adjectives 0 and .25; deviation with ddof 1.
    assert found["shares"] == {
        "ADJ": {"synthetic": 0.0, "source": [0.125, 0.1768]},
        "NOUN": {"synthetic": 0.75, "source": [0.625, 0.1768]},
        "VERB": {"synthetic": 0.25, "source": [0.25, 0.3536]},
    }
    assert found["distance"] == 0.125
    assert found["kinds"] == {"synthetic": 2, "source": [2.0, 0.0]}


def test_equal_corpora_have_distance_0_and_disjoint_ones_1() -> None:
    assert compare_tags({"A": 1, "B": 1}, [{"A": 2, "B": 2}])["distance"] == 0
    assert compare_tags({"A": 1}, [{"B": 5}])["distance"] == 1
