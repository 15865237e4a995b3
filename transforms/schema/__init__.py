"""The nouns that every other room shares; nothing here does work."""
