import pytest

from tacenda.transforms.detecting.structures.urls import HOST, urls
from tests.growth import grows_linearly


def found(text: str) -> list[tuple[str, list[str]]]:
    return [
        (text[url.start : url.end], [text[value.start : value.end] for value in url.values])
        for url in urls(text)
    ]


@pytest.mark.parametrize(
    ("text", "url", "values"),
    [
        ("at https://a.b/c/d?e=f&g=h.", "https://a.b/c/d?e=f&g=h", ["a.b", "c", "d", "f", "h"]),
        ("(www.a.se/?e=f(g))", "www.a.se/?e=f(g)", ["www.a.se", "f(g)"]),
        ("GET /c?e=f HTTP/1.1", "/c?e=f", ["c", "f"]),
        ("url=https://a.b/?e=f", "https://a.b/?e=f", ["a.b", "f"]),
        ("https://ann:pw@a.b:80/?e=f", "https://ann:pw@a.b:80/?e=f", ["ann:pw", "a.b", "f"]),
        ("mailto:ann@a.b?subject=c", "mailto:ann@a.b?subject=c", ["ann@a.b", "c"]),
        ("https://a.b/?e=f#g=h", "https://a.b/?e=f#g=h", ["a.b", "f", "h"]),
        ("[a](https://a.b/?e=f)", "https://a.b/?e=f", ["a.b", "f"]),
    ],
)
def test_urls_are_divided(text: str, url: str, values: list[str]) -> None:
    assert found(text) == [(url, values)]


@pytest.mark.parametrize(
    "text", ["is it 5? x=1", "what?a=b", "https://a.b/c", "x ? y == z : w", "a/b?c", "https://a.b/?flag"]
)
def test_what_has_no_query_is_none(text: str) -> None:
    assert found(text) == []


def test_what_stands_behind_users_and_before_an_at_is_somebodys() -> None:
    text = "https://ann@x.org/users/17/cart/~bo?a=b"
    (url,) = urls(text)
    assert [text[v.start : v.end] for v in url.values if v.personal] == ["ann", "17", "~bo"]
    assert [text[v.start : v.end] for v in url.values if v.key == HOST] == ["x.org"]


def test_time_is_linear() -> None:
    def run(size: int) -> None:
        list(urls("https://a.b/" * size + "?a=b" + "&a=b/?" * size))

    run(1)
    assert grows_linearly(run, 2000)
