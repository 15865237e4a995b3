"""Decide on the release: criterion, verdict, manifest, report, release marker."""
