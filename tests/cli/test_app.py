import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.sample_trace import sample_run
from tutor import __version__
from tutor.tracing.files import TraceWriter

TUTOR = [sys.executable, "-m", "tutor"]


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TUTOR, *arguments],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
    )


def test_version() -> None:
    assert run("--version").stdout == f"tutor {__version__}\n"


def test_a_failure_is_one_line_and_1(tmp_path: Path) -> None:
    path = tmp_path / "no-trace.jsonl"
    path.write_text("not json\n")
    done = run("trace", "show", str(path))
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1


def test_the_traceback_is_there_for_who_asks(tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()
    assert "Traceback" in run("trace", "show", str(path), TUTOR_DEBUG="1").stderr


@pytest.mark.parametrize("arguments", [["--help"], ["tools"], ["trace", "show"], ["trace", "show", "--json"]])
def test_a_reader_that_leaves_ends_the_run_quietly(arguments: list[str], tmp_path: Path) -> None:
    if "show" in arguments:
        with TraceWriter(tmp_path / "t.jsonl") as writer:
            for record in sample_run():
                writer.write(record)
        arguments = [*arguments, str(tmp_path / "t.jsonl")]
    done = subprocess.Popen([*TUTOR, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.stdout is not None
    done.stdout.close()
    _, errors = done.communicate()
    assert errors == b""
    assert done.returncode == 128 + signal.SIGPIPE


def test_ctrl_c_ends_the_run_quietly() -> None:
    slow = "(print('up', flush=True), time.sleep(60))"
    script = f"import time, tutor.cli.app as app; app.app = lambda: {slow}; app.main()"
    done = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.stdout is not None
    assert done.stdout.readline() == b"up\n"
    time.sleep(0.05)
    done.send_signal(signal.SIGINT)
    _, errors = done.communicate(timeout=10)
    assert errors == b""
    assert done.returncode == 128 + signal.SIGINT
