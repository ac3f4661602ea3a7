"""Everything that touches Redis: the game store, the queues, the AI's jobs and their processes."""

from worker.actionlog import LogEntry, UndoneEntry
from worker.advice import Analysis, Hint, ask_analysis, ask_hint, read_analysis, read_hint
from worker.bots import check_bots
from worker.connection import connect, hide_password, require_store
from worker.embedded import EmbeddedStore
from worker.errors import (
    ActionUndone,
    AnothersAction,
    BadToken,
    GameOver,
    HintsOff,
    KeyReused,
    NoSuchGame,
    NoSuchSeat,
    NotAbsent,
    NothingToUndo,
    NotToMove,
    ReadOnly,
    SeatNotHeld,
    SeatTaken,
    StaleVersion,
    StillRunning,
    StoreError,
    StoreUnreachable,
    UnknownPlayer,
)
from worker.ladders import LadderBoard, LadderStuck, ladder_from_json, ladder_json
from worker.log import logger, set_up_logs
from worker.processes import run_sweeper, run_worker
from worker.queues import ADVICE, LADDERS, MOVES, QUEUES
from worker.settings import Settings, SettingsError
from worker.store import Applied, Created, Deal, Store, Stored, Summary, Undone
from worker.supervisor import Child, Process, Supervisor

__all__ = [
    "ADVICE",
    "LADDERS",
    "MOVES",
    "QUEUES",
    "ActionUndone",
    "Analysis",
    "AnothersAction",
    "Applied",
    "BadToken",
    "Child",
    "Created",
    "Deal",
    "EmbeddedStore",
    "GameOver",
    "Hint",
    "HintsOff",
    "KeyReused",
    "LadderBoard",
    "LadderStuck",
    "LogEntry",
    "NoSuchGame",
    "NoSuchSeat",
    "NotAbsent",
    "NotToMove",
    "NothingToUndo",
    "Process",
    "ReadOnly",
    "SeatNotHeld",
    "SeatTaken",
    "Settings",
    "SettingsError",
    "StaleVersion",
    "StillRunning",
    "Store",
    "StoreError",
    "StoreUnreachable",
    "Stored",
    "Summary",
    "Supervisor",
    "Undone",
    "UndoneEntry",
    "UnknownPlayer",
    "ask_analysis",
    "ask_hint",
    "check_bots",
    "connect",
    "hide_password",
    "ladder_from_json",
    "ladder_json",
    "logger",
    "read_analysis",
    "read_hint",
    "require_store",
    "run_sweeper",
    "run_worker",
    "set_up_logs",
]
