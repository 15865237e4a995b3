"""``python -m pipelines.anonymize`` is ``tacenda anonymize``."""

from tacenda.pipelines.cli import main

if __name__ == "__main__":
    main("anonymize")
