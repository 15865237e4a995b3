"""Trainings, as their commands ask for them."""
