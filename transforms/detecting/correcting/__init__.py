"""Correct detectors: by lists of human decisions, and for medical terms named after people."""
