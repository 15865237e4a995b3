"""Which findings of one conversation mean the same person, number or thing."""
