"""Groups of records that must stay together, from what they have in common.

Only records with something in common are held: 16 bytes each. Keys of records are 64-bit hashes.
"""

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]

NO_GROUPS: Keys = np.empty((0, 2), dtype=np.uint64)


def links(values: Keys, keys: Keys) -> Keys:
    """Links between records that have a value in common: each to the smallest key with that value.

    Args:
        values: hashes, in any order and repeated as may be.
        keys: the record that each belongs to.

    Returns:
        Rows of two keys.
    """
    order = np.lexsort((keys, values))
    values, keys = values[order], keys[order]
    begins = np.append(True, values[1:] != values[:-1])[: len(values)]
    firsts = keys[np.maximum.accumulate(np.where(begins, np.arange(len(keys)), 0))]
    pairs = np.stack([firsts, keys], axis=1)[firsts != keys]
    return np.unique(pairs, axis=0) if len(pairs) else NO_GROUPS


def joined(pairs: Keys) -> Keys:
    """Each record of a group with the smallest key of its group, in the order of keys.

    Groups may be joined again with others: the result is a list of links that says the same.

    >>> joined(np.array([[1, 2], [5, 6], [2, 9]], dtype=np.uint64)).tolist()
    [[1, 1], [2, 1], [5, 5], [6, 5], [9, 1]]
    """
    if not len(pairs):
        return NO_GROUPS
    nodes, places = np.unique(pairs, return_inverse=True)
    parents = list(range(len(nodes)))

    def root(place: int) -> int:
        while parents[place] != place:
            parents[place] = parents[parents[place]]
            place = parents[place]
        return place

    for one, other in np.reshape(places, (-1, 2)).tolist():
        first, second = sorted((root(one), root(other)))
        parents[second] = first
    roots = [root(place) for place in range(len(nodes))]
    return np.stack([nodes, nodes[roots]], axis=1)


def representatives(keys: Keys, groups: Keys) -> Keys:
    """The smallest key of the group of each record: its own without a group.

    Args:
        keys: of the records.
        groups: as :func:`joined` gives them.
    """
    if not len(groups):
        return keys
    nodes = groups[:, 0]
    places = np.minimum(np.searchsorted(nodes, keys), len(nodes) - 1)
    return np.where(nodes[places] == keys, groups[places, 1], keys)
