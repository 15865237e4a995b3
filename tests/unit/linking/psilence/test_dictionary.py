import pytest

from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.linking.psilence.clusters import reconcile_conversation
from tacenda.transforms.linking.psilence.dictionary import check_dictionary, dictionary
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

_TEXTS = ["Bill Scott spoke. So did counsel Bermudez", "William Scott, and Scott; McConnell"]
_NAMES = (("Bill Scott", "Bermudez"), ("William Scott", "Scott;", "McConnell"))


def test_the_dictionary_is_that_of_the_paper() -> None:
    def finding(text: str, name: str) -> Finding:
        start = text.index(name)
        return Finding(start, start + len(name.strip(";")), "PERSON_NAME", Likelihood.LIKELY, "test")

    found = [[finding(text, name) for name in names] for text, names in zip(_TEXTS, _NAMES, strict=True)]
    reconciled = reconcile_conversation(link_conversation(_TEXTS, [None, None], found, {}, "case 1"), found)
    expected = {
        "WITNESS": [
            {"Bill Scott": [[0, 0, 10]], "William Scott": [[1, 0, 13]], "Scott": [[1, 19, 24]]},
            {"McConnell": [[1, 26, 35]]},
        ],
        "LAWYER": [{"Bermudez": [[0, 33, 41]]}],
    }
    assert dictionary(reconciled) == {"conversation_id": "case 1", "clusters": expected}
    check_dictionary(expected, _TEXTS)


@pytest.mark.parametrize(
    "clusters",
    [
        # As the paper prints it: two clusters share a place.
        {"WITNESS": [{"Scott": [[0, 5, 10]]}, {"Bill Scott": [[0, 0, 10]]}]},
        {"WITNESS": [{"Scott": [[0, 4, 9]]}]},
        {"WITNESS": [{"Scott": [[7, 5, 10]]}]},
        {"WITNESS": [{"": [[0, 5, 5]]}]},
    ],
)
def test_a_dictionary_that_does_not_fit_is_refused(
    clusters: dict[str, list[dict[str, list[list[int]]]]],
) -> None:
    with pytest.raises(ValueError, match=r"overlap|text differs"):
        check_dictionary(clusters, _TEXTS)
