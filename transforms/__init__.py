"""Everything Tacenda knows about conversations and personal data, one room a concern."""
