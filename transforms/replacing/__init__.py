"""Replace personal data in the text: tokens, surrogates and transformations."""
