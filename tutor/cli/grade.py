"""``tutor grade``: a whole corpus into a folder of results."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from tutor.cli.correct import Confidence, Device, Language, Model, Scope, Steps
from tutor.cli.progress import GradeProgress
from tutor.cli.sentences import STDIN

if TYPE_CHECKING:
    from tutor.grading.run import Plan

_SHARD = re.compile(r"([1-9]\d*)/([1-9]\d*)")
_TABLE = "Columns"
_CLUSTER = "More than one process or machine"


def _shard(text: str | None) -> str | None:
    match = _SHARD.fullmatch(text or "1/1")
    if match is None or int(match[1]) > int(match[2]):
        raise typer.BadParameter(f"{text!r} is not like 2/8, the second of eight")
    return text


def _existing(path: Path) -> Path:
    if str(path) == STDIN:
        if sys.stdin.isatty():
            raise typer.BadParameter("nothing is piped in")
    elif not path.exists():
        raise typer.BadParameter(f"{path} does not exist")
    return path


def _column(what: str) -> Any:
    return typer.Option(metavar="NAME", help=f"Column of {what}.", rich_help_panel=_TABLE)


Input = Annotated[
    Path,
    typer.Argument(
        metavar="INPUT",
        callback=_existing,
        help="A .txt, .csv, .tsv, .jsonl, .parquet, .m2 or .docx file, a folder of essays (.txt, .docx), or - .",
    ),
]
Out = Annotated[
    Path,
    typer.Option(
        file_okay=False, metavar="DIR", help="Folder of the results; the same command goes on there."
    ),
]
Kind = Annotated[
    Literal["txt", "csv", "tsv", "jsonl", "parquet", "m2", "docx"] | None,
    typer.Option("--format", help="Format of the input, where its name does not tell."),
]
Split = Annotated[
    bool | None,
    typer.Option(
        "--split/--no-split", help="Split texts into sentences.", show_default="only essays and Word files"
    ),
]
Traces = Annotated[bool, typer.Option("--traces", help="Keep a trace of every run.")]
Limit = Annotated[int | None, typer.Option(min=1, metavar="N", help="Grade the first N rows only.")]
Restart = Annotated[bool, typer.Option("--restart", help="Drop what is in the folder and begin anew.")]
Json = Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")]
Workers = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Processes that share the cores, each with the model.",
        rich_help_panel=_CLUSTER,
    ),
]
Shard = Annotated[
    str | None,
    typer.Option(
        callback=_shard,
        metavar="I/N",
        help="Do the I-th of N shares only; when all are done, the command without this writes the results.",
        rich_help_panel=_CLUSTER,
    ),
]
Merge = Annotated[
    list[Path] | None,
    typer.Option(
        exists=True,
        file_okay=False,
        metavar="DIR",
        help="Take over the finished shards of another folder first; may be given several times.",
        rich_help_panel=_CLUSTER,
    ),
]
Engine = Annotated[
    Literal["local", "ray"],
    typer.Option(help="Who runs the shards: this machine, or a Ray cluster.", rich_help_panel=_CLUSTER),
]
ShardSize = Annotated[
    int,
    typer.Option(
        min=1, metavar="N", help="Rows of a shard, the least that a crash costs.", rich_help_panel=_CLUSTER
    ),
]


def grade(
    source: Input,
    out: Out,
    kind: Kind = None,
    split: Split = None,
    text: Annotated[str | None, _column("the text")] = None,
    row_id: Annotated[
        str | None, typer.Option("--id", metavar="NAME", help="Column of ids.", rich_help_panel=_TABLE)
    ] = None,
    learner: Annotated[str | None, _column("the learner")] = None,
    target: Annotated[str | None, _column("the gold correction")] = None,
    date: Annotated[str | None, _column("the date")] = None,
    lang: Language = "en",
    scope: Scope = "all",
    min_confidence: Confidence = None,
    max_steps: Steps = 8,
    model: Model = None,
    device: Device = "auto",
    traces: Traces = False,
    limit: Limit = None,
    restart: Restart = False,
    json_output: Json = False,
    workers: Workers = None,
    shard: Shard = None,
    merge: Merge = None,
    engine: Engine = "local",
    shard_size: ShardSize = 256,
) -> None:
    """Grade a corpus: correct every row, and write results and a report into a folder.

    A run that was stopped, by whatever, goes on with the same command.
    """
    if restart and shard:
        raise typer.BadParameter("would drop the shares of other machines", param_hint="--restart")
    if split and target:
        raise typer.BadParameter("corrections are of whole texts", param_hint="--split")

    from tutor.agent.tutor import MODEL, Options
    from tutor.grading.ledger import Share
    from tutor.grading.model import digest
    from tutor.grading.run import Plan, run
    from tutor.grading.shard import Job
    from tutor.grading.source import Columns
    from tutor.paths import models_dir

    folder = model or models_dir() / MODEL
    options = Options(lang=lang, scope=scope, min_confidence=min_confidence, max_steps=max_steps)
    number, of = map(int, (shard or "1/1").split("/"))
    plan = Plan(
        path=None if str(source) == STDIN else source,
        out=out,
        job=Job(folder, digest(folder), device, options, traces),
        kind=kind,
        columns=Columns(text, row_id, learner, target, date),
        split=split,
        limit=limit,
        shard_size=shard_size,
        share=Share(number, of),
        merge=tuple(merge or ()),
        engine=engine,
        workers=workers,
        restart=restart,
    )
    with GradeProgress() as progress:
        summary = run(plan, progress)
    if summary is None:
        typer.echo(
            f"share {shard} is done; when all are, the same command without --shard writes the results"
        )
    elif json_output:
        import json

        typer.echo(json.dumps(summary, ensure_ascii=False))
    else:
        _show(summary, plan)


def _show(summary: dict[str, Any], plan: Plan) -> None:
    from tutor.grading.outputs import FILES
    from tutor.tracing.view import counted, printable

    statuses = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in summary["statuses"].items())
    typer.echo(f"{counted(summary['rows'], 'row')}: {statuses or 'none'}")
    for failure in summary["first_errors"]:
        typer.echo(printable(failure), err=True)
    more = summary["statuses"].get("error", 0) - len(summary["first_errors"])
    if more > 0:
        typer.echo(f"and {counted(more, 'more error')}: status error in results.jsonl", err=True)
    if scores := summary.get("gold", {}).get("verb_edits"):
        rates = [f"{name} {_percent(scores[name])}" for name in ("precision", "recall", "f0.5")]
        rows, due = counted(summary["gold"]["sentences"]["all"], "row"), scores["tp"] + scores["fn"]
        typer.echo(f"verb edits against gold: {', '.join(rates)} ({rows}, {counted(due, 'edit')} due)")
    written = " ".join(name for name in FILES if (plan.out / name).exists())
    typer.echo(f"{plan.out}: {written}")


def _percent(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.1f}"
