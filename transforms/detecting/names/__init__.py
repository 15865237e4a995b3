"""Names, places and organisations from shipped lists, with the evidence that tells them from words."""
