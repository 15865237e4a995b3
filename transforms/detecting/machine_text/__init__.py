"""Text written for machines, code, settings and logs: where it stands, and what counts in it."""
