"""Cut replacement tokens, such as [PERSON_NAME_1], out of findings."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.token import TOKEN, may_have_tokens


def outside_tokens(text: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Cut tokens such as ``[PERSON_NAME_1]`` out of findings; rests without a letter or digit are dropped."""
    spans = [match.span() for match in TOKEN.finditer(text)] if may_have_tokens(text) else []
    ends = [end for _, end in spans]
    for finding in findings:
        start = finding.start
        for i in range(bisect_right(ends, start), len(spans)):
            first, last = spans[i]
            if first >= finding.end:
                break
            if _speaks(text[start:first]):
                yield finding._replace(start=start, end=first)
            start = last
        if start == finding.start or _speaks(text[start : finding.end]):
            yield finding._replace(start=start)


def _speaks(piece: str) -> bool:
    return any(map(str.isalnum, piece))
