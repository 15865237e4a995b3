"""Made-up conversations with gold spans: one engine with two uses.

The engine is at the top: seeded draws, templates with gaps, labelled pieces that become text and spans,
numbers that belong to nobody, words for what is read out. ``sample`` plays scenarios with a cast, for the
sample corpus; ``training`` fills in templates of eleven languages, for training text.

Each use keeps its own distributions: how often a name is spelled, in which ways a date is written, which slips
befall a word. A sample is to look like transcripts of one kind, where all that is said of a person agrees;
training text is to differ in as many ways as possible. One voice for both would be a switch at every draw.
"""
