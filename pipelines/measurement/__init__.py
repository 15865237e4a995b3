"""Jobs that map all of the input to figures: evaluation, bias, leaks, copies of a source."""
