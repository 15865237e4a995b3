"""Write a surrogate with the capitals and accents of its original."""

import unicodedata

_STROKES = str.maketrans("øłđıØŁĐ", "oldiOLD")


def in_case_of(original: str, value: str) -> str:
    """A value in small letters, in capitals, or with a first capital as the original.

    >>> in_case_of("LEE", "Moss"), in_case_of("ann", "Eva"), in_case_of("McLeod", "Berg")
    ('MOSS', 'eva', 'Berg')
    """
    if original.islower():
        return value.lower()
    if original.isupper() and sum(map(str.isalpha, original)) > 1:
        return value.upper()
    return value[:1].upper() + value[1:] if original[:1].isupper() else value


def without_accents(text: str) -> str:
    """The text without accents, as hurried typists and recognisers write it."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text.translate(_STROKES).replace("ß", "ss").replace("æ", "ae"))
    return "".join(c for c in decomposed if unicodedata.category(c)[0] != "M")
