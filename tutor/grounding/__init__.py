"""Independent checker of the guarantees G1 to G6: it never looks at the mask, only at what came out."""

from tutor.grounding.run import check_run
from tutor.grounding.step import Violation, check_step

__all__ = ["Violation", "check_run", "check_step"]
