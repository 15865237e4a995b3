import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.transforms.detecting.names import cased as capitalised
from tacenda.transforms.detecting.names import uncased as uncapitalised
from tacenda.transforms.detecting.names.detector import GazetteerDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.generating.corpus import conversations
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

_WORDS = """
maria Maria GARCIA garcia kim Kim ji woo seung Ji ha The the I i is my name hello Hi mr Mr. Dr. de la van der
Berg don t will Will grace Grace rose May may new New york York City united States University of Michigan bank
Bank inc Ltd Inc. near in from to LA CA or OR Portland paris Paris 8 3rd b2b McKenzie DeLuca NASA Xylophrast
what your name please sure it's who speaking Ah-reum sang-woo moon Faith Hope summer hope numbers eunbi
xylophrast och Göteborg Helsingissä Virtasen señora Lucía con que der die und this it's call me Jr. , . ? - '
"""

_turns = st.lists(
    st.lists(st.sampled_from(_WORDS.split()), max_size=12).map(" ".join), min_size=1, max_size=6
)


def _everything(evidence, *places):
    return np.ones(len(places[0]), dtype=np.bool_)


def _search(texts, first_cell, filtered=True):
    detector = GazetteerDetector(
        InspectSettings(("PERSON_NAME", "LOCATION", "ORGANIZATION_NAME")), Likelihood.VERY_UNLIKELY
    )
    with pytest.MonkeyPatch.context() as patched:
        if not filtered:
            patched.setattr(capitalised, "depends_on_more", _everything)
            patched.setattr(capitalised, "several_capitals", _everything)
            patched.setattr(uncapitalised, "small_word", _everything)
        return detector.find(TextColumn(texts, first_cell))


@given(_turns)
@settings(max_examples=300, deadline=None)
def test_no_name_begins_where_the_openings_see_none(texts):
    assert _search(texts, [0, len(texts)]) == _search(texts, [0, len(texts)], filtered=False)


def test_no_name_of_the_generated_sample_is_passed_over():
    turns = [[turn["text"] for turn in c["turns"]] for c in conversations(7, 0, 200)]
    texts = [text for several in turns for text in several]
    first_cell = np.cumsum([0, *map(len, turns)]).tolist()
    found = _search(texts, first_cell)
    assert found == _search(texts, first_cell, filtered=False)
    assert sum(map(len, found)) > 1000
