"""The manifests for Kubernetes agree with each other and with what infra/flink runs."""

import re
from pathlib import Path

import yaml

from tacenda.pipelines.cli import parser_of
from tacenda.pipelines.executors.beam_options import beam_arguments

INFRA = Path(__file__).parents[2] / "infra"
KUBERNETES = INFRA / "kubernetes"


def _documents(name):
    return list(yaml.safe_load_all((KUBERNETES / name).read_text("utf-8")))


def _session():
    (deployment,) = _documents("session-cluster.yaml")
    return deployment["spec"]


def _job_arguments():
    (job,) = _documents("job.yaml")
    (container,) = job["spec"]["template"]["spec"]["containers"]
    return container["args"]


def test_the_job_gives_options_that_the_command_knows():
    command, *words = _job_arguments()
    arguments, extra = parser_of(command).parse_known_args(words)
    assert beam_arguments(arguments, extra)
    assert not [word for word in extra if not word.startswith("--")]


def test_flink_is_the_version_that_is_tested():
    (version,) = re.findall(
        r"apache-flink-libraries==([\d.]+)", (INFRA / "flink/requirements.txt").read_text()
    )
    spec = _session()
    assert spec["image"].startswith(f"flink:{version}-")
    assert spec["flinkVersion"] == "v" + "_".join(version.split(".")[:2])
    (server, _, _) = _documents("job-server.yaml")
    image = server["spec"]["template"]["spec"]["containers"][0]["image"]
    assert f"flink{'.'.join(version.split('.')[:2])}_" in image


def test_settings_of_jobs_are_those_of_the_tested_cluster():
    tested = yaml.safe_load((INFRA / "flink/conf/config.yaml").read_text())
    ours = _session()["flinkConfiguration"]
    assert ours["taskmanager.load-balance.mode"] == tested["taskmanager"]["load-balance"]["mode"]
    assert ours["taskmanager.memory.managed.size"] == tested["taskmanager"]["memory"]["managed"]["size"]
    assert ours["restart-strategy.type"] == tested["restart-strategy"]["type"]
    assert ours["classloader.resolve-order"] == tested["classloader"]["resolve-order"]


def test_ports_and_slots_agree():
    spec, words = _session(), dict(word[2:].split("=", 1) for word in _job_arguments() if "=" in word)
    pod = spec["taskManager"]["podTemplate"]["spec"]
    (pool,) = (one for one in pod["containers"] if one["name"] == "worker-pool")
    assert words["environment_config"] == f"localhost:{pool['ports'][0]['containerPort']}"
    slots = int(spec["flinkConfiguration"]["taskmanager.numberOfTaskSlots"])
    assert int(words["parallelism"]) == slots * spec["taskManager"]["replicas"]
    assert int(words["sdk_worker_parallelism"]) == slots
    server, service, policy = _documents("job-server.yaml")
    ports = {one["port"] for one in service["spec"]["ports"]}
    container = server["spec"]["template"]["spec"]["containers"][0]
    assert {one["containerPort"] for one in container["ports"]} == ports
    assert words["job_endpoint"] == f"{service['metadata']['name']}:8099"
    (job,) = _documents("job.yaml")
    (allowed,) = policy["spec"]["ingress"][0]["from"]
    assert job["spec"]["template"]["metadata"]["labels"] == allowed["podSelector"]["matchLabels"]


def test_workers_are_not_root():
    pod = _session()["taskManager"]["podTemplate"]["spec"]
    (job,) = _documents("job.yaml")
    containers = [pod["containers"][1], *job["spec"]["template"]["spec"]["containers"]]
    user = re.findall(r"--uid (\d+)", (INFRA / "containers/Dockerfile").read_text())
    for container in containers:
        assert container["securityContext"]["runAsNonRoot"]
        assert [str(container["securityContext"]["runAsUser"])] == user
