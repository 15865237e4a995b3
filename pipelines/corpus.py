"""``tacenda corpus``: verify an anonymised corpus, add to it, erase from it, put originals back."""

from tacenda.pipelines.anonymize import ANONYMIZE
from tacenda.pipelines.command_line.commands import Use

USES = {
    "verify": Use(
        "Check that files, counts, statistics, verdict and report of an output folder agree.",
        "pipelines.output.verification:show_verification",
        "verify.output public-key json",
    ),
    "add": ANONYMIZE._replace(
        what="Read the files that a corpus does not have yet, and add them; begin it if OUT is empty.",
        run="pipelines.startup.launch:launch_addition",
    ),
    "erase": Use(
        "Take conversations out of an anonymised corpus, with everything that is kept of them.",
        "pipelines.output.erasing:erase_and_tell",
        "folder erase.conversations erase.config erase.input digest-key json signing-key",
    ),
    "reidentify": Use(
        "Restore the originals of values that the config's keys can decrypt.",
        "pipelines.corpora.reidentification:reidentify",
        "reidentify.input reidentify.output reidentify.config reidentify.field",
    ),
}


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("corpus")
