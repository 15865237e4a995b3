"""Write a work unit's results to storage, under names derived from the unit."""
