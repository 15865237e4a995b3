"""The rules engine: patterns, dictionaries, validators, hotwords and exclusions on whole columns of text."""
