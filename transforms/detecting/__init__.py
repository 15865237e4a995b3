"""Find personal data by rules: infoTypes, hotwords, dictionaries, exclusions."""
