"""Run ``tacenda lab uniqueness``: who would be unique in a population by what is left in a corpus.

The share of people with a combination of values is taken as the product of the shares of its values, so as if
they were independent. Of ``n`` people, one with a combination of share ``p`` shares it with a Poisson number of
others, of mean ``(n - 1) * p``: nobody with probability ``exp(-mean)`` (L. Rocher et al., "Estimating the
Success of Re-identifications in Incomplete Datasets Using Generative Models", Nature Communications 10, 2019,
which has the binomial form), and a reader who picks one of them is right in ``(1 - exp(-mean)) / mean`` of
cases.
"""

import re
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import exp, expm1, fsum, prod
from typing import Any

from tacenda.pipelines.command_line.arguments import read_options
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.config.detectors import means
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.lab.reading import Item, number_of, rows_of, rows_with, searched, tell
from tacenda.pipelines.measurement.evaluation import searching
from tacenda.pipelines.work.plan import plan_records
from tacenda.transforms.linking.normalising import normalised_value
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.scoring.intervals import exact_interval
from tacenda.transforms.storage.files import absolute

LEAST_CLASS = 11  # people in the least class whose risk is at most .09
_NUMBER = re.compile(r"\d+")

_MOST_ABOVE_ONE = 0.001  # by how much rounded shares of one infoType may add up to more than 1


Shares = Mapping[str, Mapping[str, float]]
"""The shares of values in a population, by infoType and normalised value."""


def share_of(shares: Shares, info_type: str, said: str) -> tuple[float, bool] | None:
    """The share of a value, and whether it is listed; None if nothing is known of the infoType.

    A value that is not listed counts as the rarest one of its infoType. "34 years old" is 34.
    """
    if (listed := shares.get(info_type)) is None:
        return None
    numbers = _NUMBER.findall(said)
    for value in (said, *(numbers if len(numbers) == 1 else ())):
        if (found := listed.get(normalised_value(info_type, value))) is not None:
            return found, True
    return min(listed.values()), False


def shares_of(rows: Iterable[tuple[str, str, float]], where: str) -> Shares:
    """Shares from rows of infoType, value and share; ``where`` names their file.

    Raises:
        UserError: a value is empty or listed twice, a share is not above 0 and at most 1, or the shares of an
            infoType add up to more than 1.
    """
    shares: dict[str, dict[str, float]] = {}
    for number, (info_type, value, share) in enumerate(rows, 1):
        of_type = shares.setdefault(info_type, {})
        key = normalised_value(info_type, value)
        if not 0 < share <= 1:
            raise UserError(f"{where}: row {number}: share must be above 0 and at most 1")
        if not key or key in of_type:
            raise UserError(f"{where}: row {number}: its value is empty or listed before; correct it")
        of_type[key] = share
    for info_type, of_type in shares.items():
        if sum(of_type.values()) > 1 + _MOST_ABOVE_ONE:
            raise UserError(f"{where}: the shares of {info_type} add up to more than 1")
    if not shares:
        raise UserError(f"{where}: has no rows")
    return shares


Rarest = Mapping[str, tuple[float, bool]]
"""The rarest value of each infoType in a conversation: its share, and whether it is listed."""


def rarest_of(found: Iterable[tuple[str, str]], shares: Shares) -> Rarest:
    """Of several values of one infoType, the rarest: it says most of one person."""
    rarest: dict[str, tuple[float, bool]] = {}
    for info_type, said in found:
        known = share_of(shares, info_type, said)
        if known is not None:
            rarest[info_type] = min(rarest.get(info_type, known), known)
    return rarest


def figures_of(several: Sequence[Rarest], people: int) -> dict[str, Any]:
    """Counts, and expected numbers by conversation, in a population of so many people.

    Returns:
        ``conversations``, of them ``with_values`` of the table; ``unique``, how many of them are expected
        to be those of somebody whom nobody else in the population is like; ``average_risk``, the mean
        probability that a reader who knows the values picks the right person (0 without values); ``small``,
        conversations whose combination less than ``LEAST_CLASS`` people are expected to share, its share
        and 95 % interval; ``unlisted`` values; ``info_types``, conversations with a value of each.
    """
    with_values = [rarest for rarest in several if rarest]
    # How many other people are expected to have all of the values of a conversation.
    others = [(people - 1) * prod(share for share, _ in sorted(one.values())) for one in with_values]
    right = fsum(-expm1(-mean) / mean if mean else 1.0 for mean in others)
    small = sum(1 + mean < LEAST_CLASS for mean in others)
    count = max(len(several), 1)
    return {
        "conversations": len(several),
        "with_values": len(with_values),
        "unique": round(fsum(exp(-mean) for mean in others), 2),
        "average_risk": round(right / count, 6),
        "small": small,
        "small_share": round(small / count, 6),
        "small_interval": [round(end, 6) for end in exact_interval(small, len(several))],
        "unlisted": sum(not listed for one in with_values for _, listed in one.values()),
        "info_types": dict(sorted(Counter(info_type for one in with_values for info_type in one).items())),
    }


def measure(arguments: Namespace) -> int:
    """Search the corpus that the arguments name; returns the exit code."""
    where = f"--population {arguments.population}"
    listed = rows_with(arguments.population, ("info_type", "value", "share"), "--population")
    wrong = f"{where}: a share is not a number"
    rows = ((str(info_type), str(value), number_of(share, wrong)) for info_type, value, share in listed)
    shares = shares_of(rows, where)
    config, settings = searching(arguments.config, arguments)
    able = frozenset[str]().union(*means(config.detecting).values())
    known = able.intersection(config.detecting.found.info_types) | config.detecting.rules.own_info_types()
    # The values of others would count as values that nobody left.
    if lost := [name for name in shares if name not in known]:
        remedy = "spell it as 'config infotypes' does, or add it to inspect.info_types of the config"
        raise UserError(f"{where}: nothing looks for {', '.join(lost)}; {remedy}")
    plan = plan_records([absolute(url) for url in arguments.input], read_options(arguments), "--input")
    several, unreadable = rows_of(plan, partial(_rarest_in, settings=settings, shares=shares), arguments)
    if not several:
        raise UserError("--input: no conversation could be read")
    tell(
        arguments,
        {"people": arguments.people, **figures_of(several, arguments.people), "unreadable": unreadable},
        f"unique: of somebody like no other; small: less than {LEAST_CLASS} people probably share the values",
        "assumed: values are independent of each other, and shares are those of the people in the corpus",
    )
    return ExitCode.DONE


def _rarest_in(item: Item, settings: ChainSettings, shares: Shares) -> Iterator[Rarest | None]:
    """Search the conversations of a part."""
    for one in searched(item, settings):
        if one is None:
            yield None
            continue
        cells = ((text, own) for (_, text), own in zip(one[0].turns, one[1], strict=True))
        values = ((found.info_type, text[found.start : found.end]) for text, own in cells for found in own)
        yield rarest_of(values, shares)
