"""Ray schedules, the ledger is the truth: a node that is lost costs the shards under way on it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.grading.quick import Heard, QuickJob, plan, write_rows
from tests.grading.test_run import quietly, results
from tutor.grading import cluster
from tutor.grading.local import WorkerError
from tutor.grading.model import digest
from tutor.grading.run import run

ray = pytest.importorskip("ray")


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """Start a cluster whose head takes no tasks."""
    from ray.cluster_utils import Cluster

    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "object_store_memory": 80_000_000})
    ray.init(address=found.address, log_to_driver=False)
    yield found
    ray.shutdown()
    found.shutdown()


def test_a_node_that_is_lost_costs_no_row(tmp_path: Path, nodes: Any) -> None:
    source = write_rows(tmp_path / "a.txt", 80)
    quietly(plan(source, tmp_path / "local"))
    lost = nodes.add_node(num_cpus=2, object_store_memory=80_000_000)

    class Losing(Heard):
        def tell(self, status: str, rows: int) -> None:
            super().tell(status, rows)
            if self.counts.get("corrected", 0) >= 16 and lost in nodes.worker_nodes:
                nodes.add_node(num_cpus=2, object_store_memory=80_000_000)
                nodes.remove_node(lost, allow_graceful=False)

    (tmp_path / "model").mkdir()
    job = QuickJob(model=tmp_path / "model", sha256=digest(tmp_path / "model"), pause=0.05)
    run(plan(source, tmp_path / "ray", engine="ray", job=job), Losing())
    assert lost not in nodes.worker_nodes
    assert len(results(tmp_path / "ray")) == 80
    for name in ("results.jsonl", "results.csv", "results.m2"):
        assert (tmp_path / "ray" / name).read_bytes() == (tmp_path / "local" / name).read_bytes()


def test_a_node_with_another_model_is_refused(tmp_path: Path, nodes: Any) -> None:
    nodes.add_node(num_cpus=1, object_store_memory=80_000_000)
    with pytest.raises(WorkerError, match="another model"):
        run(plan(write_rows(tmp_path / "a.txt", 8), tmp_path / "out", engine="ray"), Heard())


def test_without_ray_the_command_that_installs_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    with pytest.raises(RuntimeError, match=r"pip install 'tutor\[ray\]'"):
        run(plan(write_rows(tmp_path / "a.txt", 8), tmp_path / "out", engine="ray"), Heard())
    assert not (tmp_path / "out").exists()
