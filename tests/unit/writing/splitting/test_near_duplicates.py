import random

import numpy as np

from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.writing.splitting import BANDS, band_hashes, masked, words_of


def _shares_a_band(one: list[str], other: list[str]) -> bool:
    first, second = band_hashes([one, other])
    return bool((first == second).any())


def _words(draw: random.Random, count: int) -> list[str]:
    return [f"w{draw.randrange(5000)}" for _ in range(count)]


def test_near_duplicates_share_a_band_and_others_do_not() -> None:
    draw = random.Random(3)
    near = unlike = 0
    for _ in range(200):
        words = _words(draw, 200)
        changed = list(words)
        for place in draw.sample(range(200), 8):
            changed[place] = "another"
        near += _shares_a_band(words, changed)
        unlike += _shares_a_band(words, _words(draw, 200))
    # Eight words of 200 leave 79 % of the sequences: of such pairs, 99.7 % share a band in theory.
    assert near >= 196
    assert unlike == 0


def test_bands_are_the_same_in_every_release_of_the_library_and_on_every_platform() -> None:
    hashes = band_hashes([["one", "two", "three", "four", "five", "six"], ["hello"]])
    assert hashes.shape == (2, BANDS)
    assert [hex(value) for value in hashes[:, 0].tolist()] == FIRST


FIRST = ["0xd76ac73069b3753d", "0x81f52d874af51a7"]


def test_results_do_not_depend_on_order_or_other_records() -> None:
    draw = random.Random(4)
    texts = [_words(draw, count) for count in (3, 40, 700, 0, 5)]
    together = band_hashes(texts)
    assert np.array_equal(together[::-1], band_hashes(texts[::-1]))
    assert np.array_equal(together[2], band_hashes([texts[2]])[0])
    assert band_hashes([]).shape == (0, BANDS)


def test_findings_are_masked_by_infotype_whatever_overlaps() -> None:
    found = [Finding(*place, Likelihood.LIKELY, "rules") for place in ((4, 8, "B"), (0, 5, "A"), (9, 9, "C"))]
    assert masked("abcdefghijk", found).split() == ["A", "i", "C", "jk"]
    assert masked("as it is", []) == "as it is"


def test_words_of_scripts_without_spaces_are_characters() -> None:
    assert words_of("Straße 5, สวัสดี 東京") == ["strasse", "5", *"สวัสดี", "東", "京"]
