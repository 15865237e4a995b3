"""Show conversations before and after, and why; for people with access to the original."""
