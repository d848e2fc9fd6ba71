import sys
import time

import pytest

from tutor.benchmark.parts import PARTS, REST, PartSampler, modules, part_of
from tutor.tools.registry import call


@pytest.mark.parametrize(
    ("stack", "part"),
    [
        ({"torch.nn.functional", "tutor.decoding.model", "tutor.decoding.queries"}, "forward"),
        ({"tutor.language.morphology", "tutor.tools.registry", "tutor.agent.react"}, "tools"),
        ({"tutor.language.tokens", "tutor.planner.schema", "tutor.planner.planner"}, "schema"),
        ({"tutor.decoding.mask", "tutor.decoding.engine", "tutor.planner.planner"}, "mask"),
        ({"tutor.agent.react", "json"}, REST),
        (set(), REST),
    ],
)
def test_time_goes_to_the_part_whose_module_is_on_the_stack(stack: set[str], part: str) -> None:
    assert part_of(stack) == part


def test_each_part_names_modules_that_exist() -> None:
    for _, names in PARTS:
        for name in names:
            __import__(name)


def test_a_stack_is_read_to_its_root() -> None:
    assert {__name__, "_pytest.python"} <= modules(sys._getframe())


def test_shares_add_up_and_the_busy_part_has_most() -> None:
    with PartSampler() as sampler:
        ends = time.perf_counter() + 0.15
        while time.perf_counter() < ends:
            call("conjugate", {"verb": "go", "tense": "past_simple", "person": "3sg"})
    shares = sampler.shares()
    assert sum(shares.values()) == pytest.approx(1.0)
    assert max(shares, key=lambda name: shares[name]) == "tools"
