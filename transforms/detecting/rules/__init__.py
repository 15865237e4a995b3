"""The rules engine: patterns, dictionaries, validators, hotwords and exclusions over whole columns of text."""
