"""Training a token classifier: gold corpora in, a model package out."""
