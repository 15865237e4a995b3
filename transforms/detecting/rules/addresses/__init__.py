"""Street addresses: where a match of their patterns really begins and ends."""
