"""Vehicle identification numbers: the check digit (49 CFR 565.15), which python-stdnum lacks."""

ALPHABET = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"
"""The characters of a number: no I, O and Q."""

_VALUES = dict(zip(ALPHABET, map(int, "123456781234579234567890123456789"), strict=True))
_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def check_digit(number: str) -> str:
    """The correct ninth character of seventeen characters in capitals; the present one is ignored.

    Raises:
        ValueError: not seventeen characters, or an invalid one.
    """
    if not set(number) <= set(ALPHABET):
        raise ValueError("a character that no vehicle identification number has")
    total = sum(_VALUES[character] * weight for character, weight in zip(number, _WEIGHTS, strict=True))
    return "0123456789X"[total % 11]
