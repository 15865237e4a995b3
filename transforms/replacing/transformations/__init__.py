"""The transformations of a DLP DeidentifyConfig, one a file: settings that travel, and what they do to a value.

``build`` makes the function; keys are read then, on the worker.
"""
