import pytest

from tests.sample_trace import CALL, sample_run
from tutor.tracing.diff import diff, divergence
from tutor.tracing.files import RunTrace
from tutor.tracing.records import FinalRecord, HeaderRecord, ObservationRecord, Record, TokenRecord


def run_of(*records: Record) -> RunTrace:
    header, *rest = records
    assert isinstance(header, HeaderRecord)
    run = RunTrace(header)
    for record in rest:
        run.add(record)
    return run


def changed(kind: type, which: int, **update: object) -> RunTrace:
    """Return the sample run with one record changed: the one of a kind at a place."""
    records = sample_run()
    places = [place for place, record in enumerate(records) if isinstance(record, kind)]
    records[places[which]] = records[places[which]].model_copy(update=update)
    return run_of(*records)


def test_a_run_does_not_differ_from_itself_whatever_its_times_and_probabilities() -> None:
    run = run_of(*sample_run())
    other = changed(TokenRecord, 3, logprob_before=-9.0, forward_us=1.0)
    assert divergence(run, run) is None
    assert divergence(run, other) is None
    assert diff(run, other).divergence is None


def test_the_first_other_token_is_named_with_what_came_before_it() -> None:
    found = divergence(run_of(*sample_run()), changed(TokenRecord, 3, token_id=99, text="future"))
    assert found is not None
    assert (found.step, found.what, found.token, found.path) == (1, "token", 3, "$.args.tense")
    assert (found.one, found.other) == ("past", "future")
    assert found.common == b"".join(piece for piece, _ in CALL[:3]).decode()


def test_a_token_more_is_a_difference() -> None:
    records = sample_run()
    shorter = run_of(*(record for place, record in enumerate(records) if place != 5))
    found = divergence(run_of(*records), shorter)
    assert found is not None
    assert (found.token, found.one, found.other) == (4, '_simple"}}', None)


@pytest.mark.parametrize(
    ("kind", "update", "what", "step"),
    [
        (ObservationRecord, {"text": "goes"}, "observation", 1),
        (FinalRecord, {"status": "step_cap"}, "end", 2),
    ],
)
def test_other_observations_and_other_ends_are_differences(
    kind: type, update: dict[str, str], what: str, step: int
) -> None:
    found = divergence(run_of(*sample_run()), changed(kind, 0, **update))
    assert found is not None
    assert (found.what, found.step) == (what, step)


def test_decisions_are_compared_up_to_the_divergence_and_the_headers_too() -> None:
    records = sample_run()
    other = changed(TokenRecord, 3, logprob_after=-1.0)
    other.header = other.header.model_copy(update={"seed": 7, "config": {"lang": "es"}})
    found = diff(run_of(*records), other)
    (pair,) = found.decisions
    assert pair.path == "$.args.tense"
    assert pair.difference == pytest.approx(0.36788 - 0.75, abs=1e-4)
    assert found.settings == {"seed": (None, 7), "config.lang": (None, "es")}
    assert {row.text: row.one for row in found.alternatives}["goed -> went"] == 0.9
    parted = diff(run_of(*records), changed(TokenRecord, 3, token_id=99, text="future"))
    assert [pair.difference for pair in parted.decisions] == [None]
    assert parted.alternatives == []


def test_two_sentences_are_not_compared() -> None:
    with pytest.raises(ValueError, match="different sentences"):
        diff(run_of(*sample_run()), run_of(*sample_run(sentence="She goes.")))
