"""Hidden in plain sight: surrogates that repeat as names do, and a missed name is one among many."""
