"""Rules that find personal data: infoTypes, hotwords, dictionaries, exclusions."""
