import pytest

from tacenda.pipelines.lab.leaks import Leaks


def test_none_of_400_is_at_most_three_quarters_of_a_percent():
    tasks = ("summary", "items", "purpose", "outcome")
    leaks = Leaks({task: [(str(i), frozenset())] * 100 for i, task in enumerate(tasks)})
    figures = leaks.figures()
    assert figures["total"]["leaking"] == 0
    assert figures["total"]["at_most"] == pytest.approx(0.0075, abs=5e-5)
    assert {task["outputs"] for task in figures["tasks"].values()} == {100}
    assert {round(task["at_most"], 3) for task in figures["tasks"].values()} == {0.03}


def test_an_output_counts_once_for_each_info_type():
    found = {"a": ["AGE", "PERSON_NAME"], "b": ["AGE"], "c": []}
    figures = Leaks({"": [(name, frozenset(kinds)) for name, kinds in found.items()]}).figures()["total"]
    assert (figures["outputs"], figures["leaking"]) == (3, 2)
    assert figures["info_types"] == {"AGE": 2, "PERSON_NAME": 1}
