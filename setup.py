"""Shim for tools that still ask for a setup.py; pyproject.toml alone holds the metadata."""

from setuptools import setup

setup()
