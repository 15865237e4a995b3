"""Names, places and organisations from shipped lists, with evidence to tell them from ordinary words."""

PERSON, PLACE, ORGANIZATION = INFO_TYPES = ("PERSON_NAME", "LOCATION", "ORGANIZATION_NAME")
