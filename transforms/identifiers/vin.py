"""Vehicle identification numbers: their check digit (49 CFR 565.15), which python-stdnum does not have."""

ALPHABET = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"
"""What a number is written with: no I, O and Q."""

_VALUES = dict(zip(ALPHABET, map(int, "123456781234579234567890123456789"), strict=True))
_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def check_digit(number: str) -> str:
    """What belongs at the ninth place of seventeen characters in capitals; what stands there does not count.

    Raises:
        ValueError: other than seventeen characters, or one that no number has.
    """
    if not set(number) <= set(ALPHABET):
        raise ValueError("a character that no vehicle identification number has")
    total = sum(_VALUES[character] * weight for character, weight in zip(number, _WEIGHTS, strict=True))
    return "0123456789X"[total % 11]
