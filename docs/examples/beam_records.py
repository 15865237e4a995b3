"""Anonymise records inside a pipeline that has its own source and sink; the models run on machines with a GPU.

    python docs/examples/beam_records.py [Beam's own options]

Runners that know resource hints, such as Dataflow, give the stage with the models machines of its own; others
pass them over.
"""

import sys

import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions

from tacenda import Conversations
from tacenda.beam import Anonymize

CALLS = [
    {
        "conversation_id": "a",
        "turns": [{"speaker": "caller", "text": "I am Grace Lee, grace.lee@example.com"}],
    },
    {"conversation_id": "b", "turns": [{"speaker": "caller", "text": None}]},
]
GPU = {"accelerator": "type:nvidia-l4;count:1;install-nvidia-driver"}

with beam.Pipeline(options=PipelineOptions(sys.argv[1:])) as pipeline:
    done = pipeline | beam.Create(CALLS) | Anonymize(model_hints=GPU)
    done.conversations | beam.FlatMap(Conversations.records) | beam.Map(print)
    done.rejected | "Rejected" >> beam.Map(lambda one: print(f"{one.conversation_id}: {one.error}"))
