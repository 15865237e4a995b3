"""Everything Tacet knows about conversations and personal data, one room a concern."""
