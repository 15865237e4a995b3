"""What a verdict rests on and what to do next, as sentences for the terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from tacenda.pipelines.config.job_settings import Command
from tacenda.transforms.releasing.verdict import Judgement, State


def figures_in_words(verdict: Mapping[str, Any]) -> Iterator[str]:
    """The figures of a verdict, a line each; none if nobody read anything."""
    told = verdict.get("figures")
    if not told:
        return
    who = "people" if told["source"] == "human" else "gold"
    of = f"{told['read']:,} of {told['conversations']:,} conversations"
    yield f"read by {who}: {of}"
    for name, what, limit in (
        ("direct_identifiers", "a direct identifier readable", verdict["direct_identifiers_at_most"]),
        ("naming_somebody", "somebody named", None),
    ):
        one = told[name]
        most = "" if told["whole"] else f", at most {one['at_most']:.2%} of all (95 %)"
        share = f" ({one['at_most']:.2%})" if told["whole"] else ""
        yield f"{what}: in {one['found']:,}{share}{most}" + (f"; limit {limit:.4g}" if limit else "")


def is_held_by_scores(held_by: list[str], problems: list[str]) -> bool:
    """Whether a corpus is held for figures or missing evidence, besides problems that no review can resolve."""
    return not set(held_by) <= set(problems)


def next_steps(judgement: Judgement, command: Command) -> list[str]:
    """The next steps; none for a released corpus. OUT stands for the output folder."""
    if command != "anonymize" or judgement.state is State.RELEASED:
        return []
    review = [
        "tacenda review sample OUT says what reading N conversations can show; with --output FILE it draws "
        "them",
        "tacenda release OUT --review FILE releases or holds the corpus by what people marked",
    ]
    if judgement.state is State.UNREVIEWED:
        return review
    nothing = "nothing in OUT/.held is released; do not train on it"
    if judgement.problems:
        return ["correct what the corpus is held by, then run again with --overwrite", nothing]
    return [
        "extend the config to find what is left (dictionaries, infoTypes, rules), then run again with "
        "--overwrite; "
        "OUT/risk lists what to read first",
        *review,
        nothing,
    ]
