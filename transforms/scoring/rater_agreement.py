"""Agreement of people beyond chance: Cohen's kappa and Krippendorff's alpha, for nominal values.

J. Cohen, "A Coefficient of Agreement for Nominal Scales", Educational and Psychological Measurement 20(1),
1960. K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011 (nominal data, any number of readers,
missing values).
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping


def cohen_kappa(counts: Mapping[tuple[Hashable, Hashable], int]) -> float | None:
    """Agreement of two people beyond chance; None without units, or if chance agreement is 1.

    Args:
        counts: the number of units by the values that the two gave them.

    >>> cohen_kappa({("a", "a"): 1, ("a", "b"): 1, ("b", "b"): 2})
    0.5
    """
    count = sum(counts.values())
    ones, others = Counter[Hashable](), Counter[Hashable]()
    for (one, other), units in counts.items():
        ones[one] += units
        others[other] += units
    by_chance = sum(ones[value] * others[value] for value in ones)
    if by_chance == count * count:
        return None
    seen = sum(units for (one, other), units in counts.items() if one == other)
    return (seen * count - by_chance) / (count * count - by_chance)


def krippendorff_alpha(units: Iterable[Iterable[Hashable]]) -> float | None:
    """Agreement of any number of readers beyond chance, for nominal values.

    Args:
        units: the values that the readers gave each unit; readers without a value are left out. Units with
            fewer than two values do not count.

    Returns: 1 - observed / expected disagreement; None if all values are equal, or there are none.
    """
    different = 0.0
    totals: Counter[Hashable] = Counter()
    for unit in units:
        values = Counter(unit)
        number = values.total()
        if number < 2:
            continue
        totals.update(values)
        different += (number * number - sum(n * n for n in values.values())) / (number - 1)
    all_values = totals.total()
    expected = all_values * all_values - sum(n * n for n in totals.values())
    return None if not expected else 1 - (all_values - 1) * different / expected
