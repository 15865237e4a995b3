import pytest

from tacenda.transforms.detecting.structures.narrowing import narrowed
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.growth import grows_linearly


def cut(
    text: str, whole: str, info_type: str = "URL", asked: frozenset[str] | None = None
) -> list[tuple[str, str]]:
    start = text.index(whole)
    one = Finding(start, start + len(whole), info_type, Likelihood.LIKELY, "rules")
    return [(found.info_type, text[found.start : found.end]) for found in narrowed(text, [one], asked)]


@pytest.mark.parametrize(
    ("url", "left"),
    [
        ("https://shop.example/orders?email=ann@x.org&id=55&lang=en", [("EMAIL_ADDRESS", "ann@x.org")]),
        ("https://shop.example/cart?name=May&n=2&ok=true", [("PERSON_NAME", "May")]),
        ("https://shop.example/orders/81723?page=2", [("URL", "81723")]),
        ("https://shop.example/users/kalle?tab=cart", [("URL", "kalle")]),
        ("https://anna.example/cart?tab=cart", [("URL", "anna.example")]),
        ("https://lindqvist-bygg.se/cart?tab=cart", [("URL", "lindqvist-bygg.se")]),
        ("https://www.smith.co.uk/cart?tab=cart", [("URL", "www.smith.co.uk")]),
        ("https://api.shop.co.uk/cart?tab=cart", []),
        ("https://docs.python.org/3/?tab=cart", []),
        ("http://81.2.69.142/cart?tab=cart", [("URL", "81.2.69.142")]),
        ("https://ann@shop.example/?tab=cart", [("URL", "ann")]),
        ("https://shop.example/?ref=xqzvw", [("URL", "xqzvw")]),
        ("mailto:ann@x.org?subject=order", [("EMAIL_ADDRESS", "ann@x.org")]),
        ("https://shop.example/?to=%5BEMAIL_ADDRESS_1%5D&id=5", []),
    ],
)
def test_a_finding_of_a_url_means_the_values_that_may_be_somebodys(
    url: str, left: list[tuple[str, str]]
) -> None:
    assert cut(f"see {url} now", url) == left


def test_whoever_saw_the_host_alone_saw_a_url() -> None:
    assert cut("see https://x.example/?user=kalle", "https") == [("USER_NAME", "kalle")]


def test_a_url_without_a_query_stays_whole() -> None:
    assert cut("see https://shop.example/a now", "https://shop.example/a") == [
        ("URL", "https://shop.example/a")
    ]


def test_types_of_keys_are_given_only_if_asked_for() -> None:
    assert cut("https://x.example/?user=kalle", "https", asked=frozenset({"URL"})) == [("URL", "kalle")]


def test_a_finding_within_a_value_stays() -> None:
    text = "https://x.example/?note=call+Kalle+now"
    assert cut(text, "Kalle", "PERSON_NAME") == [("PERSON_NAME", "Kalle")]


def test_no_escape_is_cut() -> None:
    assert cut("https://x.example/?to=ann%40x.org", "ann%4", "USER_NAME") == [("USER_NAME", "ann%40")]
    assert cut("a <b>A &amp; B</b>", "amp; B", "PERSON_NAME") == [("PERSON_NAME", "&amp; B")]


def test_tags_stay_between_the_pieces() -> None:
    text = "see <a><b>Ann</b><c>Lee</c></a>, Bo"
    assert cut(text, "Ann</b><c>Lee</c></a>, Bo", "PERSON_NAME") == [
        ("PERSON_NAME", "Ann"),
        ("PERSON_NAME", "Lee"),
        ("PERSON_NAME", ", Bo"),
    ]


@pytest.mark.parametrize(("info_type", "left"), [("DATE", [("DATE", "5 Jan")]), ("PERSON_NAME", [])])
def test_dates_of_a_header_are_dates_alone(info_type: str, left: list[tuple[str, str]]) -> None:
    assert cut("From: a\nDate: Mon, 5 Jan 2026 10:00:00 +0000", "5 Jan", info_type) == left


def test_secrets_of_several_values_stay_whole() -> None:
    secret = "https://b.example/o?key=abc&sig=def"
    assert cut(secret, secret, "STORAGE_SIGNED_URL") == [("STORAGE_SIGNED_URL", secret)]


def test_time_is_linear() -> None:
    def run(size: int) -> None:
        text = "see https://x.example/?user=kalle&b=c <a>Ann</a>\n" * size
        found = [
            Finding(i, i + 5, "PERSON_NAME", Likelihood.LIKELY, "rules") for i in range(0, len(text) - 5, 9)
        ]
        narrowed(text, found)

    run(1)
    assert grows_linearly(run, 40)
