"""Fit findings to the text: edges at the name, numbers whole, one thing a finding, types as forms show."""
