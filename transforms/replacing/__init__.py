"""What stands in the text where personal data stood."""
