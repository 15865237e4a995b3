"""Checks of national numbers and of secrets, a file a region; ``validators`` gives them their names."""
