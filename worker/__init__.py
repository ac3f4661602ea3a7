"""Everything that touches Redis: the game store, the queues, the AI's jobs and the processes that run them."""

from worker.connection import connect, hide_password, require_store
from worker.embedded import EmbeddedStore
from worker.errors import (
    BadToken,
    KeyReused,
    NoSuchGame,
    NoSuchSeat,
    ReadOnly,
    SeatNotHeld,
    SeatTaken,
    StaleVersion,
    StoreError,
    StoreUnreachable,
)
from worker.log import logger, set_up_logs
from worker.settings import Settings, SettingsError
from worker.supervisor import Child, Process, Supervisor

__all__ = [
    "BadToken",
    "Child",
    "EmbeddedStore",
    "KeyReused",
    "NoSuchGame",
    "NoSuchSeat",
    "Process",
    "ReadOnly",
    "SeatNotHeld",
    "SeatTaken",
    "Settings",
    "SettingsError",
    "StaleVersion",
    "StoreError",
    "StoreUnreachable",
    "Supervisor",
    "connect",
    "hide_password",
    "logger",
    "require_store",
    "set_up_logs",
]
