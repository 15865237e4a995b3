"""URLs that tell of somebody, and those that everybody reads."""

import pytest

from tacenda.transforms.detecting.structures.public_urls import is_public, tells_of_somebody


@pytest.mark.parametrize(
    ("url", "tells"),
    [
        ("https://docs.python.org/3/library/re.html#re.sub", False),
        ("https://www.iso.org/standard/81039.html", False),
        ("https://example.com/a?page=2&lang=sv", False),
        ("https://example.com/a?email=ann%40example.com", True),
        ("https://example.com/a?user=ann", True),
        ("https://example.com/users/ann", True),
        ("https://example.com/~ann/", True),
        ("https://example.com/customers/4471882", True),
        ("https://example.com/customers/", False),
        ("https://ann:secret@example.com/", True),
        ("https://www.linkedin.com/in/anyone", True),
        ("https://linkedin.com/", False),
        ("https://example.com/people-page/anna-berg", True),
        ("http://[broken", True),
    ],
)
def test_a_url_with_personal_data_is_personal(url: str, tells: bool) -> None:
    assert tells_of_somebody(url) is tells


@pytest.mark.parametrize(
    ("url", "public"),
    [
        ("github.com", True),
        ("https://docs.github.com/en/pages", True),
        ("https://github.com/anna-berg/thesis", False),
        ("https://acme-berg.se/", False),
        ("notgithub.com", False),
        ("https://[x", False),
    ],
)
def test_well_known_hosts_are_public(url: str, public: bool) -> None:
    assert is_public(url) is public
