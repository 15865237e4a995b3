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
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from math import exp, expm1, prod
from typing import Any

from tacenda.pipelines.chain.detectors import means
from tacenda.pipelines.command_line.arguments import read_options
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.lab.reading import Item, number_of, rows_with, searched, tell, total
from tacenda.pipelines.measurement.evaluation import searching
from tacenda.pipelines.work.plan import plan_records
from tacenda.transforms.linking.normalising import normalised_value
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.scoring.intervals import exact_interval
from tacenda.transforms.storage.files import absolute

LEAST_CLASS = 11  # people in the least class whose risk is at most .09
_NUMBER = re.compile(r"\d+")

_MILLION = 1_000_000  # probabilities are added in millionths, so that sums do not depend on order
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


@dataclass
class PopulationRisk:
    """Sums over conversations, which add up in any order; probabilities are in millionths.

    ``unreadable`` records were not searched, and count nowhere else.
    """

    conversations: int = 0
    with_values: int = 0
    unlisted: int = 0
    unique: int = 0
    right: int = 0
    small: int = 0
    unreadable: int = 0
    info_types: Counter[str] = field(default_factory=Counter)

    def add(self, found: Iterable[tuple[str, str]], shares: Shares, people: int) -> None:
        """Count a conversation of one of so many people, with the infoTypes and values that can be read in it.

        Of several values of one infoType the rarest counts: it says most of one person.
        """
        rarest: dict[str, tuple[float, bool]] = {}
        for info_type, said in found:
            known = share_of(shares, info_type, said)
            if known is not None:
                rarest[info_type] = min(rarest.get(info_type, known), known)
        self.conversations += 1
        if rarest:
            self.info_types.update(rarest.keys())
            self.unlisted += sum(not listed for _, listed in rarest.values())
            # How many other people are expected to have all of these values.
            others = (people - 1) * prod(share for share, _ in sorted(rarest.values()))
            self.with_values += 1
            self.unique += round(_MILLION * exp(-others))
            self.right += round(_MILLION * (-expm1(-others) / others if others else 1.0))
            self.small += 1 + others < LEAST_CLASS

    def figures(self) -> dict[str, Any]:
        """Counts, and expected numbers by conversation.

        Returns:
            ``conversations``, of them ``with_values`` of the table; ``unique``, how many of them are expected
            to be those of somebody whom nobody else in the population is like; ``average_risk``, the mean
            probability that a reader who knows the values picks the right person (0 without values); ``small``,
            conversations whose combination less than ``LEAST_CLASS`` people are expected to share, its share
            and 95 % interval; ``unlisted`` values; ``unreadable`` records, which are not searched;
            ``info_types``, conversations with a value of each.
        """
        conversations = max(self.conversations, 1)
        return {
            "conversations": self.conversations,
            "with_values": self.with_values,
            "unique": round(self.unique / _MILLION, 2),
            "average_risk": round(self.right / _MILLION / conversations, 6),
            "small": self.small,
            "small_share": round(self.small / conversations, 6),
            "small_interval": [round(end, 6) for end in exact_interval(self.small, self.conversations)],
            "unlisted": self.unlisted,
            "unreadable": self.unreadable,
            "info_types": dict(sorted(self.info_types.items())),
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
        raise UserError(
            f"{where}: nothing looks for {', '.join(lost)}; spell it as 'config infotypes' does, or add it "
            "to inspect.info_types of the config"
        )
    plan = plan_records([absolute(url) for url in arguments.input], read_options(arguments), "--input")
    of_item = partial(_risk_of, settings=settings, shares=shares, people=arguments.people)
    risk = total(plan, of_item, arguments)
    if not risk.conversations:
        raise UserError("--input: no conversation could be read")
    tell(
        arguments,
        {"people": arguments.people, **risk.figures()},
        f"unique: of somebody like no other; small: less than {LEAST_CLASS} people probably share the values",
        "assumed: values are independent of each other, and shares are those of the people in the corpus",
    )
    return ExitCode.DONE


def _risk_of(item: Item, settings: ChainSettings, shares: Shares, people: int) -> PopulationRisk:
    """Search the conversations of a part."""
    risk = PopulationRisk()
    for _, outcome, unreadable in searched(item, settings):
        risk.unreadable += unreadable
        for i in range(len(outcome.batch)):
            cells = ((outcome.batch.texts[c], outcome.findings[c]) for c in outcome.batch.cells(i))
            values = [(one.info_type, text[one.start : one.end]) for text, own in cells for one in own]
            risk.add(values, shares, people)
    return risk
