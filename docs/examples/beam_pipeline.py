"""A Beam pipeline of one's own: read, anonymise, write, and the figures of what is left.

python docs/examples/beam_pipeline.py 'calls/*.jsonl' anonymized [Beam's own options]
"""

import json
import sys

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions

from tacenda import Config, Conversations
from tacenda.beam import Anonymize, Read, Statistics


def main(source: str, output: str, *options: str) -> None:
    """Build the pipeline and run it."""
    with beam.Pipeline(options=PipelineOptions(list(options))) as pipeline:
        done = pipeline | Read(source) | Anonymize(Config.load(detectors=["rules"]))
        (
            done.conversations
            | beam.FlatMap(Conversations.records)
            | "Lines" >> beam.Map(json.dumps)
            | beam.io.WriteToText(f"{output}/part", ".jsonl")
        )
        (
            done.conversations
            | Statistics()
            | "Total" >> beam.Map(lambda figures: figures["sources"]["model"]["total"])
            | beam.Map(lambda total: print("{count} conversations, mean {mean:.2f}".format(**total)))
        )
        (
            done.rejected
            | beam.Map(lambda one: one.error)
            | beam.combiners.Count.PerElement()
            | "Tell" >> beam.MapTuple(lambda error, times: print(f"left out: {times} for {error}"))
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
