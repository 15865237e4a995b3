import pytest

from tacenda.transforms.detecting.structures.log_lines import log_lines
from tests.growth import grows_linearly


@pytest.mark.parametrize(
    ("line", "values"),
    [
        (
            "2026-01-05T10:00:00.5Z WARN user=ann@x.org to=<a+b=c@x.org>",
            [" ", " ", "ann@x.org ", "<a+b=c@x.org>"],
        ),
        ("[2026-01-05 10:00:00,123] main Ann", ["] main Ann"]),
        ("Jan  5 10:00:00 web sshd[123]: Ann", [" web ", ": Ann"]),
        ('web:80 81.2.69.142 - ann [05/Jan/2026:10:00:00 +0000] "x"', ["web:80 81.2.69.142 - ann ", '] "x"']),
        ('81.2.69.142 - ann [05/Jan/2026:10:00:00 +0000] "GET"', ["81.2.69.142 - ann ", '] "GET"']),
    ],
)
def test_what_is_no_time_program_level_or_key_is_a_value(line: str, values: list[str]) -> None:
    (structure,) = log_lines(f"x\n{line}\ny")
    assert [f"x\n{line}"[value.start : value.end] for value in structure.values] == values


@pytest.mark.parametrize("line", ["call at 10:00:00 today", "user=ann", "5 Jan 2026: Ann came at 10:00:00"])
def test_a_line_without_a_time_first_is_none(line: str) -> None:
    assert not list(log_lines(line))


def test_time_is_linear() -> None:
    def run(size: int) -> None:
        list(log_lines("2026-01-05T10:00:00Z " + "a=b c[1]: " * size + "\n" + "x " * size))

    run(1)
    assert grows_linearly(run, 500)
