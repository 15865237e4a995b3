"""Strings and comments of code, language by language."""

import pytest

from tacenda.transforms.detecting.machine_text.literals import is_code, is_data, literals
from tests.growth import grows_linearly


@pytest.mark.parametrize(
    ("language", "code", "found"),
    [
        ("python", "x = \"Ann\"  # of Lund\ny = '''a\nb'''", ["Ann", "# of Lund", "a\nb"]),
        (
            "js",
            "f(`a ${b}`, 'it\\'s'); // http://x.org\n/* c */",
            ["a ${b}", "it\\'s", "// http://x.org", "/* c */"],
        ),
        ("sql", "SELECT 'Ann' -- her\nFROM \"t\"", ["Ann", "-- her"]),
        ("bash", "echo \"$X\" 'y' # z", ["$X", "y", "# z"]),
        ("haskell", 'f = "a" -- b\n{- c -}', ["a", "-- b", "{- c -}"]),
        ("brainfuck", 'x "y" // z', ["y", "// z"]),
        ("c", 'x = "never closed\ny = 1;', ["never closed"]),
        ("c", 'x = ""; y = "a";', ["a"]),
    ],
)
def test_contents_of_strings_and_comments_are_literals(language: str, code: str, found: list[str]) -> None:
    assert [code[start:end] for start, end in literals(code, language)] == found


def test_languages_are_known_by_the_names_that_fences_give_them() -> None:
    assert all(map(is_code, ("py", "typescript", "c++", "psql")))
    assert all(map(is_data, ("json", "yaml", "log")))
    assert not any(is_code(name) or is_data(name) for name in ("", "text", "markdown"))


@pytest.mark.parametrize("hostile", ['"', "'", '"\\"', "/*", '"""', "`", "<!--", "{-", "\\"])
@pytest.mark.parametrize("language", ["js", "python", "vue", "haskell"])
def test_time_grows_with_the_length_of_what_is_never_closed(hostile: str, language: str) -> None:
    assert grows_linearly(lambda size: literals(hostile * size, language), 1000)
