"""Lines of a log: the time, the program and the names of values stay."""

import re
from collections.abc import Iterator

from tacenda.transforms.detecting.structures.structure import Structure, Value

_TIME = r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
_STAMP = re.compile(
    rf"[ \t]*[\[(]?(?:\d{{4}}[-/]\d\d[-/]\d\d[T ]{_TIME}(?:Z|[ ]?[+-]\d\d:?\d\d|(?=\W|$))"
    rf"|[A-Z][a-z]{{2}} [ \d]\d {_TIME}|\d\d/[A-Z][a-z]{{2}}/\d{{4}}:\d\d:\d\d:\d\d [+-]\d{{4}})"
)
_OF_REQUESTS = re.compile(r"(?:\S{1,100} ){3,4}(?=\[)")
"""What stands before the time in the common format of web servers: host, identity, user; or a server first."""

_SCAFFOLD = re.compile(
    r"(?<![^\s,;&?(\[{\"'])[A-Za-z_][A-Za-z_.-]{0,40}[0-9]{0,2}=(?=[^\s=])"
    r"|(?<![^\s])[A-Za-z_][\w./-]{0,40}\[\d{1,10}\](?=:)"
    r"|(?<![A-Za-z])(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL)(?![A-Za-z])"
)


def log_lines(text: str) -> Iterator[Structure]:
    """The lines of a text that begin with a time, as logs have it.

    >>> line = "2026-01-05T10:00:00Z INFO login user=ann.lee@x.org status=200"
    >>> [[line[value.start : value.end] for value in one.values] for one in log_lines(line)]
    [[' ', ' login ', 'ann.lee@x.org ', '200']]
    """
    if text.count(":") < 2:
        return
    place = 0
    for line in text.split("\n"):
        start, end = place, place + len(line)
        place = end + 1
        stamp = _STAMP.match(text, start, end)
        before = None if stamp else _OF_REQUESTS.match(text, start, end)
        stamp = stamp or (_STAMP.match(text, before.end(), end) if before else None)
        if stamp is None:
            continue
        values = [Value(start, stamp.start())]
        done = stamp.end()
        for one in _SCAFFOLD.finditer(text, done, end):
            values.append(Value(done, one.start()))
            done = one.end()
        values.append(Value(done, end))
        yield Structure(start, end, tuple(v for v in values if v.start < v.end), stamps=(stamp.span(),))
