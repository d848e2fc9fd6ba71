"""What a graded corpus amounts to: streamed statistics, and the page that a teacher reads and prints."""

from tutor.grading.report.page import write_report
from tutor.grading.report.statistics import LEARNERS, Statistics

__all__ = ["LEARNERS", "Statistics", "write_report"]
