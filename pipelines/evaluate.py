"""``python -m pipelines.evaluate`` is ``tacenda evaluate``."""

from tacenda.pipelines.cli import main

if __name__ == "__main__":
    main("evaluate")
