"""Write a surrogate with the capitals and accents of its original."""

import unicodedata

_STROKES = str.maketrans("øłđıØŁĐ", "oldiOLD")


def in_case_of(original: str, value: str) -> str:
    """A value capitalised as the original, word by word if both have equally many words.

    >>> in_case_of("LEE", "Moss"), in_case_of("ann", "Eva"), in_case_of("McLeod", "Berg")
    ('MOSS', 'eva', 'Berg')
    """
    letters = [c for c in original if c.isalpha()]
    if not letters or not any(c.isupper() or c.islower() for c in letters):
        return value
    if all(c.islower() for c in letters):
        return value.lower()
    if len(letters) > 1 and all(c.isupper() for c in letters):
        return value.upper()
    return value[:1].upper() + value[1:] if original[:1].isupper() else value


def without_accents(text: str) -> str:
    """The text without accents, as hurried typists and recognisers write it."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text.translate(_STROKES).replace("ß", "ss").replace("æ", "ae"))
    return "".join(c for c in decomposed if unicodedata.category(c)[0] != "M")
