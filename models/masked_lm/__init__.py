"""A masked language model as a detector without training: what it cannot guess may be personal data.

A. Myntti, "Zero-Shot Approach to Redacting PII in Medical Reports Using LLMs", University of Turku, 2025, after
Albanese, Ciolek and D'Ippolito, "Text Sanitization Beyond Specific Domains", arXiv 2311.10785.
"""
