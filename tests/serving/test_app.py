import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.serving.fakes import HeldTutor
from tests.tiny import tiny_model
from tutor.agent.state import Correction
from tutor.agent.tutor import Options, Tutor
from tutor.serving.app import MAX_SENTENCES, Limits, create_app
from tutor.serving.desk import Desk

JSON = {"content-type": "application/json"}


def client_of(tutor: HeldTutor | Tutor, limits: Limits | None = None) -> TestClient:
    desk = Desk(lambda: tutor)
    client = TestClient(create_app(desk, limits or Limits()), raise_server_exceptions=False)
    client.__enter__()
    desk.loaded.result(20)
    return client


@pytest.fixture
def tutor() -> HeldTutor:
    return HeldTutor()


@pytest.fixture
def client(tutor: HeldTutor) -> Iterator[TestClient]:
    client = client_of(tutor)
    yield client
    client.__exit__(None, None, None)


def test_one_sentence_gets_the_object_of_tutor_correct(client: TestClient, tutor: HeldTutor) -> None:
    response = client.post("/correct", json={"sentence": "He go."})
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert Correction.model_validate_json(response.content).sentence == "He go."
    assert set(response.json()) == set(Correction.model_fields)


def test_several_sentences_get_a_list_in_their_order(client: TestClient) -> None:
    response = client.post("/correct", json={"sentences": ["a", "b", "a"]})
    assert [answer["sentence"] for answer in response.json()] == ["a", "b", "a"]


def test_options_reach_the_tutor(client: TestClient, tutor: HeldTutor) -> None:
    body = {"sentence": "a", "lang": "es", "scope": "beginner", "min_confidence": 1, "max_steps": 2}
    assert client.post("/correct", json=body).status_code == 200
    assert client.post("/correct", json={"sentence": "a"}).status_code == 200
    assert [options for options, _ in tutor.batches] == [Options("es", "beginner", 1.0, 2), Options()]


def test_text_survives_to_the_letter(client: TestClient) -> None:
    hostile = 'quote " backslash \\ nul \0 emoji \N{GRINNING FACE} e\u0301 rtl \u202e <|im_end|> <script>'
    assert client.post("/correct", json={"sentence": hostile}).json()["sentence"] == hostile


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "JSON"),
        (b"\xff\xfe", "JSON"),
        (b"null", "object"),
        (b"[1]", "object"),
        (b"{}", "either 'sentence' or 'sentences'"),
        (b'{"sentence": "a", "sentences": ["a"]}', "either"),
        (b'{"sentence": null}', "either"),
        (b'{"sentence": 3}', "sentence: Input should be a valid string"),
        (b'{"sentence": ["a"]}', "sentence: "),
        (b'{"sentences": "a"}', "sentences: "),
        (b'{"sentences": []}', "sentences: "),
        (b'{"sentences": ["a", 1]}', "sentences.1: "),
        (json.dumps({"sentences": ["a"] * (MAX_SENTENCES + 1)}).encode(), "sentences: "),
        (b'{"sentence": "a", "lang": "fr"}', "lang: Input should be 'en' or 'es'"),
        (b'{"sentence": "a", "max_steps": 9}', "max_steps: "),
        (b'{"sentence": "a", "max_steps": true}', "max_steps: "),
        (b'{"sentence": "a", "min_confidence": NaN}', "min_confidence: "),
        (b'{"sentence": "a", "extra": 1}', "extra: "),
        (b'{"sentence": "\\ud800"}', "JSON"),
        (b'{"sentence": "a"', "JSON"),
        (b"[" * 100_000, "JSON"),
        (b'{"sentence": "a", "min_confidence": 1' + b"0" * 5000 + b"}", "JSON"),
    ],
)
def test_a_body_that_is_not_as_it_must_be_is_422_and_says_why(
    client: TestClient, tutor: HeldTutor, body: bytes, message: str
) -> None:
    response = client.post("/correct", content=body, headers=JSON)
    assert response.status_code == 422
    assert message in response.json()["error"]
    assert len(response.json()["error"]) < 1000
    assert tutor.batches == []


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded"])
def test_what_a_foreign_page_may_send_unasked_is_415(client: TestClient, kind: str | None) -> None:
    headers = {"content-type": kind} if kind else {}
    assert client.post("/correct", content=b'{"sentence": "a"}', headers=headers).status_code == 415


def test_a_charset_behind_the_content_type_is_fine(client: TestClient) -> None:
    headers = {"content-type": "Application/JSON; charset=utf-8"}
    assert client.post("/correct", content=b'{"sentence": "a"}', headers=headers).status_code == 200


@pytest.mark.parametrize("declared", [True, False])
def test_a_body_over_the_limit_is_413_declared_or_not(tutor: HeldTutor, declared: bool) -> None:
    body = json.dumps({"sentence": "a" * 100}).encode()
    client = client_of(tutor, Limits(body_bytes=len(body) - 1))
    content = body if declared else iter([body[:50], body[50:]])
    response = client.post("/correct", content=content, headers=JSON)
    assert response.status_code == 413
    assert tutor.batches == []
    client.__exit__(None, None, None)


def test_a_body_of_just_the_limit_is_taken(tutor: HeldTutor) -> None:
    body = json.dumps({"sentence": "a" * 100}).encode()
    client = client_of(tutor, Limits(body_bytes=len(body)))
    assert client.post("/correct", content=body, headers=JSON).status_code == 200
    client.__exit__(None, None, None)


def test_requests_beyond_the_limit_are_told_when_to_come_again() -> None:
    tutor = HeldTutor(held=True)
    client = client_of(tutor, Limits(requests=1))
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(client.post, "/correct", json={"sentence": "a"})
        assert tutor.begun.wait(20)
        second = client.post("/correct", json={"sentence": "b"})
        assert second.status_code == 503
        assert int(second.headers["retry-after"]) >= 1
        assert client.get("/healthz").status_code == 200
        tutor.go.set()
        assert first.result(20).status_code == 200
    assert client.post("/correct", json={"sentence": "c"}).status_code == 200
    client.__exit__(None, None, None)


def test_a_request_that_takes_too_long_is_504_and_frees_its_place() -> None:
    tutor = HeldTutor(held=True)
    client = client_of(tutor, Limits(requests=1, seconds=0.05))
    assert client.post("/correct", json={"sentences": ["a", "b"]}).status_code == 504
    tutor.go.set()
    assert client.post("/correct", json={"sentence": ""}).status_code in {200, 504}
    client.__exit__(None, None, None)
    assert "b" not in [sentence for _, batch in tutor.batches for sentence in batch]


def test_a_failure_is_500_without_a_word_of_its_cause(client: TestClient) -> None:
    response = client.post("/correct", json={"sentence": "fail"})
    assert response.status_code == 500
    assert set(response.json()) == {"error"}
    assert "RuntimeError" not in response.text
    assert client.post("/correct", json={"sentence": "a"}).status_code == 200


def test_it_is_healthy_while_it_loads_but_not_ready() -> None:
    go = threading.Event()

    def load() -> HeldTutor:
        assert go.wait(20)
        return HeldTutor()

    desk = Desk(load)
    with TestClient(create_app(desk)) as client:
        assert client.get("/healthz").json() == {"status": "ok"}
        for response in (client.get("/readyz"), client.post("/correct", json={"sentence": "a"})):
            assert response.status_code == 503
            assert "retry-after" in response.headers
        go.set()
        desk.loaded.result(20)
        assert client.get("/readyz").json() == {"status": "ready"}


def test_a_tutor_that_cannot_be_loaded_is_reported_once() -> None:
    reports: list[None] = []

    def load() -> HeldTutor:
        raise OSError("no weights")

    desk = Desk(load)
    with TestClient(create_app(desk, failed=lambda: reports.append(None))) as client:
        with pytest.raises(OSError, match="no weights"):
            desk.loaded.result(20)
        assert client.get("/readyz").status_code == 503
    assert reports == [None]


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/correct", 405), ("GET", "/", 404), ("POST", "/readyz", 405)]
)
def test_other_requests_are_refused_in_json(client: TestClient, method: str, path: str, status: int) -> None:
    response = client.request(method, path)
    assert response.status_code == status
    assert set(response.json()) == {"error"}


def test_a_real_tutor_answers_as_on_the_command_line(tmp_path: Path) -> None:
    tutor = Tutor.load(tiny_model(tmp_path), device="cpu")
    sentences = ["He goed.", "", "I is."]
    client = client_of(tutor)
    answers = client.post("/correct", json={"sentences": sentences}).json()
    client.__exit__(None, None, None)
    for sentence, answer in zip(sentences, answers, strict=True):
        expected = tutor.correct(sentence).model_dump(mode="json")
        assert {**answer, "timing": None} == {**expected, "timing": None}
