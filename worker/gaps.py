"""Mending the embedded store's append-only files after a full disk.

A server that could write only a part of something takes that part back by shortening its file. But it does
not open every file for appending: one that it has begun since its start (at a rewrite) it goes on writing
where it had been, and leaves a gap of zeros. Nothing is missing, but at its next start it refuses to read on
at the gap.
"""

from __future__ import annotations

import os
from pathlib import Path

END = b"\r\n"


def close_gaps(folder: Path) -> int:
    """Takes the gaps out of a folder's append-only files, which no server may have open: how many bytes."""
    closed = 0
    for file in sorted(folder.glob("*.incr.aof")):
        data = file.read_bytes()
        mended = without_gaps(data)
        if len(mended) < len(data):
            new = file.with_suffix(".mended")
            with new.open("wb") as out:
                out.write(mended)
                out.flush()
                os.fsync(out.fileno())
            new.replace(file)
            closed += len(data) - len(mended)
    return closed


def without_gaps(data: bytes) -> bytes:
    """Commands (RESP arrays of strings, and comments) without the zeros between them.

    What is no command, or not a whole one, stays as it is with all that follows it.
    """
    parts, begin, place = [], 0, 0
    while place < len(data):
        if data[place] == 0:
            parts.append(data[begin:place])
            while place < len(data) and data[place] == 0:
                place += 1
            begin = place
            continue
        following = _after_command(data, place)
        if following is None:
            break
        place = following
    return b"".join([*parts, data[begin:]])


def _after_command(data: bytes, place: int) -> int | None:
    """Where the command that begins at a place ends; None where there is no whole one."""
    try:
        after = data.index(END, place) + len(END)
        if data[place : place + 1] == b"#":
            return after
        if data[place : place + 1] != b"*":
            return None
        for _ in range(int(data[place + 1 : after])):
            text = data.index(END, after) + len(END)
            after = text + int(data[after + 1 : text]) + len(END)
    except ValueError:
        return None
    return after if after <= len(data) else None
