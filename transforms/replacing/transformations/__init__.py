"""The transformations of a DLP DeidentifyConfig, one per file: picklable settings that build a function.

``build`` creates the function and reads the keys, on the worker.
"""
