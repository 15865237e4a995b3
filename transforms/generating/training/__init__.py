"""Training text: templates of eleven languages with complete labels, to teach context instead of names."""
