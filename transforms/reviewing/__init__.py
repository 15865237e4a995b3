"""Human review in and out: the markup of reviewed transcripts."""
