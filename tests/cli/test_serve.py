import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from typer.testing import CliRunner

from tests.tiny import tiny_model
from tutor.cli.app import app

TUTOR = [sys.executable, "-m", "tutor", "serve"]


def fetch(url: str, body: dict[str, object] | None = None) -> tuple[int, bytes]:
    request = Request(url, json.dumps(body).encode() if body else None, {"Content-Type": "application/json"})
    try:
        with urlopen(request, timeout=60) as response:
            return response.status, response.read()
    except HTTPError as error:
        return error.code, error.read()


def test_a_server_gets_ready_answers_and_stops_at_a_signal(tmp_path: Path) -> None:
    model = tiny_model(tmp_path / "tiny")
    command = [*TUTOR, "--port", "0", "--model", str(model), "--device", "cpu"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", server.stderr.readline())
        assert found
        while fetch(f"{found[0]}/readyz")[0] == 503:
            assert server.poll() is None
        status, answer = fetch(f"{found[0]}/correct", {"sentence": "He goed."})
        assert status == 200
        assert json.loads(answer)["sentence"] == "He goed."
        server.send_signal(signal.SIGINT)
        out, errors = server.communicate(timeout=60)
        assert (server.returncode, out, errors) == (128 + signal.SIGINT, "", "")
    finally:
        server.kill()


def test_a_model_that_cannot_be_loaded_ends_the_server_with_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [*TUTOR, "--port", "0", "--model", str(tmp_path)], capture_output=True, text=True, env=os.environ
    )
    assert done.returncode == 1
    *_, last = done.stderr.splitlines()
    assert re.match(r"error: .*config\.json", last)
    assert "Traceback" not in done.stderr


def test_a_port_in_use_is_one_line_and_1() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = CliRunner().invoke(app, ["serve", "--port", str(taken.getsockname()[1])])
    assert isinstance(result.exception, OSError)


@pytest.mark.parametrize("arguments", [["--port", "70000"], ["--max-body", "0"], ["--device", "toaster"]])
def test_bad_usage_is_2(arguments: list[str]) -> None:
    assert CliRunner().invoke(app, ["serve", *arguments]).exit_code == 2
