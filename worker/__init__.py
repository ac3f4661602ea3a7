"""Everything that touches Redis: the game store, the queues, the AI's jobs and their processes."""

from worker.actionlog import LogEntry
from worker.connection import connect, hide_password, require_store
from worker.embedded import EmbeddedStore
from worker.errors import (
    BadToken,
    GameOver,
    KeyReused,
    NoSuchGame,
    NoSuchSeat,
    ReadOnly,
    SeatNotHeld,
    SeatTaken,
    StaleVersion,
    StoreError,
    StoreUnreachable,
    UnknownPlayer,
)
from worker.log import logger, set_up_logs
from worker.processes import run_sweeper, run_worker
from worker.queues import LADDERS, MOVES, QUEUES
from worker.settings import Settings, SettingsError
from worker.store import Applied, Created, Store, Stored, Summary
from worker.supervisor import Child, Process, Supervisor

__all__ = [
    "LADDERS",
    "MOVES",
    "QUEUES",
    "Applied",
    "BadToken",
    "Child",
    "Created",
    "EmbeddedStore",
    "GameOver",
    "KeyReused",
    "LogEntry",
    "NoSuchGame",
    "NoSuchSeat",
    "Process",
    "ReadOnly",
    "SeatNotHeld",
    "SeatTaken",
    "Settings",
    "SettingsError",
    "StaleVersion",
    "Store",
    "StoreError",
    "StoreUnreachable",
    "Stored",
    "Summary",
    "Supervisor",
    "UnknownPlayer",
    "connect",
    "hide_password",
    "logger",
    "require_store",
    "run_sweeper",
    "run_worker",
    "set_up_logs",
]
