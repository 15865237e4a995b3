"""Bytes in and out of any fsspec URL: globs, codecs, atomic publishing."""
