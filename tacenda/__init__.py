"""Tacenda anonymises conversation corpora for LLM fine-tuning and measures the risk that is left."""
