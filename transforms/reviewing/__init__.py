"""Human review: draw samples, and read reviewers' markup and spans files."""
