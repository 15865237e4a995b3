"""Write a surrogate as its original was written: capitals, accents."""

import unicodedata

_STROKES = str.maketrans("øłđıØŁĐ", "oldiOLD")


def in_case_of(original: str, value: str) -> str:
    """A value in the capitals of an original, word by word where both have as many.

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
    """The same letters as a hurried typist or a recogniser writes them."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text.translate(_STROKES).replace("ß", "ss").replace("æ", "ae"))
    return "".join(c for c in decomposed if unicodedata.category(c)[0] != "M")
