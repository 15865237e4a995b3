"""How well detection does on gold conversations: recall, precision, leaks, and how sure the figures are."""
