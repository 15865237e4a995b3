"""How much has to be said for a chain of number words and letters to be a number or word that is read out.

``digit_runs`` decides by these, word by word; ``prefilter`` asks beforehand, by the counts of whole stretches,
where they can be reached at all.
"""

LEAST_DIGITS = 3
LEAST_STRONG = 2
"""Words that are always numbers ("seven", not "to")."""
LEAST_AROUND_MISHEARD = 3
"""Sure numbers around a word that only sounds like a digit."""
LEAST_WRITTEN_PARTS = 3
"""Groups of figures, where no number is said as a word."""
LEAST_FIGURES_APART = 7
"""Figures of such groups together …"""
LEAST_SINGLE_FIGURES = 5
"""… and where each figure stands alone."""
LEAST_SINGLE_FIGURES_WITHOUT_PAUSE = LEAST_SINGLE_FIGURES - 1

LEAST_LETTERS_APART = 4
LEAST_LETTERS_TIED = 3
"""Letters of a spelled word with hyphens between all of them."""
LEAST_SPELLING_WORDS = 2
"""Words of a spelling alphabet ("hotel", "Mike") that are a spelled word by themselves."""
LEAST_CODE = 5
"""Letters and figures of a code."""
LEAST_CODE_WITHOUT_WORDS = 6
MOST_REPEATED = 4
"""Times that a word can say of the next figure: "quadruple"."""
