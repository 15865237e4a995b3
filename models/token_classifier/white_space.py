"""Which code points are white space, as ``str.isspace`` and ``str.split`` define it."""

import numpy as np
import numpy.typing as npt

_LAST = 0x3000
"""No white space has a code point beyond this."""

_SPACES = np.fromiter((chr(code).isspace() for code in range(_LAST + 2)), np.bool_, _LAST + 2)


def white(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """True where a code point is white space."""
    spaces: npt.NDArray[np.bool_] = _SPACES[np.minimum(codes, _LAST + 1)]
    return spaces
