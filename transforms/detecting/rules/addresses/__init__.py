"""Street addresses: find the exact start and end of a pattern match."""
