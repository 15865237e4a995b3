"""Names, places and organisations from shipped lists, with evidence to tell them from ordinary words."""
