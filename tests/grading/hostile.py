"""Rows that break readers: written as one CSV file and as one JSON-lines file, with what must become of each."""

from __future__ import annotations

import json
import random
from pathlib import Path

# None begins with a line break: behind a quote that is never closed, such a row is by the rules of CSV the end of that cell.
FINE = (
    "He goed home.", "=1+1", "@SUM(A1)", "\t+goed", "She said \"goed\".", "a, goed; b", "two\nlines goed", "\u202egoed\u202c",
    "ñandú 😀 e\u0301 goed", "<script>goed</script>", "<|im_end|>", "tab\tgoed", "goed\r\n", "-", "'goed'", "\u2028goed",
    "goed\0", "\ufeffgoed", "%s {0} \\x00", "نعم goed",
)  # fmt: skip
BROKEN = (
    b"\xff\xfe goed", b"caf\xe9", b'"never closed', b'"closed" early', b"one,cell,more", b"half \xed\xa0\x80", b"x" * 5000,
    b"\xc3",
)  # fmt: skip


def write_csv(path: Path, rows: int, *, huge: int = 1_000_000, seed: int = 0) -> list[bool]:
    """Write a CSV file of hostile rows and return which of them can be corrected."""
    chance = random.Random(seed)
    fine: list[bool] = []
    with path.open("wb") as stream:
        stream.write(b"id,text\r\n")
        for number in range(rows):
            kind = chance.random()
            fine.append(kind < 0.6)
            if kind < 0.6:
                text = chance.choice(FINE).replace('"', '""')
                stream.write(f'{number},"{text}"\r\n'.encode())
            elif kind < 0.999:
                stream.write(b"%d,%s\r\n" % (number, chance.choice(BROKEN)))
            else:
                stream.write(b'%d,"%s"\r\n' % (number, b'=x\n\0""' * (huge // 6)))
    return fine


def write_json(path: Path, rows: int, *, huge: int = 1_000_000, seed: int = 0) -> list[bool]:
    """Write a JSON-lines file of hostile rows and return which of them can be corrected."""
    chance = random.Random(seed)
    bad = (
        '{"text": "half \\ud800 of a pair"}', "{", '{"text": 1e999}', "[[", '{"text": "a" "b"}', "NaN", '{"text":"\udcff"}',
        '{"text": null, "learner": "=1+1"}', '{"id": "\\ud83d", "learner": "\\udc00", "text": "=x\\ud800"}', '"He goed."',
    )  # fmt: skip
    fine: list[bool] = []
    with path.open("wb") as stream:
        for _ in range(rows):
            kind = chance.random()
            fine.append(kind < 0.6)
            if kind < 0.6:
                record = {"learner": chance.choice(FINE), "text": chance.choice(FINE)}
                line = json.dumps(record, ensure_ascii=chance.random() < 0.5)
            elif kind < 0.999:
                line = chance.choice(bad)
            else:
                line = chance.choice(
                    ("[" * huge, '{"text": "' + "=x\\u0000" * (huge // 8) + '"}', "9" * huge)
                )
            stream.write(line.encode("utf-8", "surrogateescape") + b"\n")
    return fine
