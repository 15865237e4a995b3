"""The language of each conversation and turn: what no detector covers is not taken for text without personal data."""
