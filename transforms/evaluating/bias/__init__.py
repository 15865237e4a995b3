"""Whether a model treats people differently by their names."""
