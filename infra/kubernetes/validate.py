"""Check the FlinkDeployment against the schema of Flink's Kubernetes operator.

    python infra/kubernetes/validate.py

The schema is in the operator's own jar, which Maven fetches (version and SHA-256 below). It needs Maven, PyYAML
and jsonschema. A field that the schema does not know is an error here, though a cluster would drop it.
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import yaml

HERE = Path(__file__).resolve().parent
ARTIFACT, VERSION = "flink-kubernetes-operator-api", "1.10.0"
SHA256 = "b1f44814e17514fa8395c61b329a3ee9087123a5bda5b21fe1a495d5182c30b6"
SCHEMA = "META-INF/fabric8/flinkdeployments.flink.apache.org-v1.yml"


def fetched(folder: Path) -> Path:
    """The operator's jar, of the SHA-256 that is expected."""
    command = ["mvn", "-q", "-B", "dependency:copy", f"-Dartifact=org.apache.flink:{ARTIFACT}:{VERSION}:jar"]
    subprocess.run([*command, f"-DoutputDirectory={folder}"], check=True)  # noqa: S603
    jar = folder / f"{ARTIFACT}-{VERSION}.jar"
    if hashlib.sha256(jar.read_bytes()).hexdigest() != SHA256:
        raise SystemExit(f"{jar.name}: is another file than the expected one")
    return jar


def closed(schema: Any) -> Any:
    """The schema, in which only the fields that it names are allowed."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items()}
    if isinstance(inner.get("properties"), dict) and not inner.get("x-kubernetes-preserve-unknown-fields"):
        inner.setdefault("additionalProperties", False)
    return inner


def main() -> int:
    """Print the errors; 0 if there are none."""
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(fetched(Path(folder))) as jar:
        definition = yaml.safe_load(jar.read(SCHEMA))
    (version,) = (one for one in definition["spec"]["versions"] if one["name"] == "v1beta1")
    schema = closed(version["schema"]["openAPIV3Schema"])
    schema["properties"].update({name: {} for name in ("apiVersion", "kind", "metadata")})
    told = yaml.safe_load((HERE / "session-cluster.yaml").read_text("utf-8"))
    errors = list(jsonschema.Draft202012Validator(schema).iter_errors(told))
    for error in errors:
        sys.stderr.write(f"session-cluster.yaml {error.json_path}: {error.message[:200]}\n")
    sys.stdout.write(f"session-cluster.yaml: {len(errors)} errors by the operator's schema, {VERSION}\n")
    return 1 if errors else 0


if __name__ == "__main__":
    raise SystemExit(main())
