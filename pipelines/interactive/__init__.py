"""A few conversations or one text, processed here and shown: preview, explain, redact."""
