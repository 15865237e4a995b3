"""A work unit's results on storage, under names that come from the unit."""
