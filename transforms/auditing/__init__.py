"""What is still readable after replacement, against gold spans or by a second look."""
