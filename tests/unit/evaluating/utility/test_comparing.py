import pytest

from tacenda.transforms.evaluating.utility.comparing import Corpus, Resampling, compare, compare_networks

BOOKING = ["i", "want", "to", "book", "a", "table", "for", "two", "please"]
BILLING = ["there", "is", "an", "error", "on", "the", "bill", "you", "sent"]
TEXTS = [[*words, name] for name in ("ann", "bo", "eva", "ann") for words in (BOOKING, BILLING)]
CLASSES = ["booking", "billing"] * 4
HELD_OUT = Corpus([[*BOOKING, "ann"], [*BILLING, "liv"], [*BOOKING, "bo"]], ["booking", "billing", "booking"])
ORIGINAL = Corpus(TEXTS, CLASSES)
TOKENS = Corpus([[*text[:-1], "person_name_1"] for text in TEXTS], CLASSES)
NOTHING = Corpus([["x"] for _ in TEXTS], CLASSES)


def test_an_unchanged_version_has_no_cost() -> None:
    (figures,) = compare(ORIGINAL, {"same": ORIGINAL}, HELD_OUT, Resampling(50))["versions"].values()
    assert figures["rouge_1"]["f1"] == 1
    assert (figures["perplexity_cost"], figures["kept_words_cost"], figures["f1_cost"]) == (0, 0, 0)
    assert figures["dear"] == []


def test_removing_names_costs_perplexity_but_not_task_accuracy() -> None:
    report = compare(ORIGINAL, {"tokens": TOKENS}, HELD_OUT, Resampling(50))
    figures = report["versions"]["tokens"]
    # 9 and 9 of 10 words are the same in each text.
    assert figures["rouge_1"] == {"precision": 0.9, "recall": 0.9, "f1": 0.9, "f1_95": None}
    assert (report["f1"], figures["f1"], figures["f1_cost"]) == (1, 1, 0)
    assert figures["perplexity_cost"] > 0.05
    low, high = figures["perplexity_cost_95"]
    assert low <= figures["perplexity_cost"] <= high
    assert figures["kept_words_cost"] < figures["perplexity_cost"]
    assert "perplexity_cost" in figures["dear"]
    assert "f1_cost" not in figures["dear"]


def test_a_version_without_words_costs_the_task() -> None:
    figures = compare(ORIGINAL, {"nothing": NOTHING}, HELD_OUT, Resampling(50))["versions"]["nothing"]
    # All are called billing: F1 is 2 * 1 / (1 + 3) for billing and 0 for booking.
    assert figures["f1"] == 0.25
    assert figures["f1_cost"] == 0.75
    assert (
        figures["dear"] == ["perplexity_cost", "kept_words_cost", "f1_cost"] or "f1_cost" in figures["dear"]
    )


def test_without_a_task_there_is_no_f1() -> None:
    report = compare(Corpus(TEXTS), {"same": Corpus(TEXTS)}, Corpus(HELD_OUT.texts), Resampling(0))
    assert "f1" not in report
    assert report["versions"]["same"]["rouge_1"]["f1_95"] is None


def test_networks_are_compared_seed_by_seed() -> None:
    def train(texts: object, held_out: object, words: int, seed: int) -> float:
        del held_out, words
        return seed + (0.1 * seed if texts != original else 0.0)

    original: list[list[int]] = []

    def remember(texts: list[list[int]], held_out: object, words: int, seed: int) -> float:
        if not original:
            original.extend(texts)
        return train(texts, held_out, words, seed)

    report = compare_networks(ORIGINAL, {"tokens": TOKENS}, HELD_OUT, 2, remember)  # type: ignore[arg-type]
    # Nats 1 and 2, against 1.1 and 2.2: costs e^.1 - 1 and e^.2 - 1, geometric mean e^.15 - 1.
    assert report["tokens"]["cost"] == pytest.approx(0.1618, abs=1e-4)
    assert report["tokens"]["cost_range"] == pytest.approx([0.1052, 0.2214], abs=1e-4)
    assert report["original"]["perplexity"] == pytest.approx(4.482, abs=1e-3)
