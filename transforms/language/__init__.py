"""The language of each turn: text that no detector covers is no text without personal data."""
