"""The verdict: criterion, manifest, report, release marker."""
