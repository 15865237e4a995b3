"""Published rules for identifying numbers, by region: check digits and ranges, to verify and to generate."""
