"""The shipped lists: names of people, places and organisations, and everyday words by language."""
