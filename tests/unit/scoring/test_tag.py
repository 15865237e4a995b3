import pytest

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.scoring.tag import Tag, parse_tag


@pytest.mark.parametrize(
    ("label", "tag"),
    [
        ("EMAIL", Tag("EMAIL")),
        ("MISSED_EMAIL", Tag("EMAIL")),
        ("MISSED_PERSON_NAME_PARTIAL", Tag("PERSON_NAME", partial=True)),
        ("MISSED_PRODUCT_SPEAKER", Tag("PRODUCT", speaker=True)),
        ("MISSED_PRODUCT_SPEAKER_PARTIAL", Tag("PRODUCT", partial=True, speaker=True)),
        ("MISSED_PRODUCT_PARTIAL_SPEAKER", Tag("PRODUCT", partial=True, speaker=True)),
    ],
)
def test_a_label_is_split_into_tag_and_flags(label, tag):
    assert parse_tag(label) == tag


@pytest.mark.parametrize("label", ["", "MISSED_EMAIL_PARTIAL_PARTIAL", "X_SPEAKER_PARTIAL_SPEAKER"])
def test_labels_without_name_or_with_repeated_suffix_are_invalid(label):
    with pytest.raises(RecordError, match=r"^UnknownTag$"):
        parse_tag(label)


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("speaker", [False, True])
def test_a_tag_is_read_as_it_is_spelled(partial, speaker):
    tag = Tag("ORGANIZATION_NAME", partial, speaker)
    assert parse_tag(tag.spelling) == tag
