"""Find data still readable after replacement, by gold spans or by a second look."""
