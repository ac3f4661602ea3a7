"""Configuration: every value that an operator can set, read from the environment in this one place."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

LOG_LEVELS = ("debug", "info", "warning", "error")
FSYNC_CHOICES = ("always", "everysec")
METRICS_CHOICES = ("private", "open")
STORE_SCHEMES = ("redis", "rediss", "unix")
PLACEHOLDERS = (
    "changeme",
    "changethis",
    "password",
    "secret",
    "example",
    "yourtoken",
    "admintoken",
    "12345678",
)


class SettingsError(ValueError):
    """A setting that cannot be used; the message is a sentence for the person who set it."""


def default_data_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """Where games live when `DATA_DIR` is not set: the user's data folder by the XDG rules."""
    base = environment.get("XDG_DATA_HOME", "")
    # The XDG specification tells to ignore a relative path.
    root = Path(base) if base.startswith("/") else Path.home() / ".local" / "share"
    return root / "stem-branch"


@dataclass(frozen=True)
class Settings:
    """The configuration of one process. Each field is the environment variable of the same name in capitals.

    Durations are in seconds unless the name says days.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    data_dir: Path = field(default_factory=default_data_dir)
    redis_url: str = ""  # empty: the embedded store in data_dir
    browser: str = ""  # "none": open no page; else a browser's command, as other programs read this variable
    public_url: str = ""  # empty: http://host:port
    trusted_proxies: int = 0  # how many stand in front and append to X-Forwarded-For
    cors_origins: str = ""  # other origins whose pages may use the API: https://a.example,https://b.example
    admin_token: str = field(default="", repr=False)  # empty: the one in data_dir/admin-token
    ladder_bots: str = ""  # bots that ladders of the API may name: name=file.py:Class,...
    max_games: int = 50_000  # kept at once, finished ones too
    limit_games: str = "60/minute;1000/hour"  # by client; "off" for none
    limit_imports: str = "60/minute;500/hour"
    limit_joins: str = "60/minute"
    limit_hints: str = "60/minute"
    limit_analyses: str = "30/minute;200/hour"
    limit_ladders: str = "30/minute"
    metrics: str = "private"  # for this machine and the administrator; "open" for everybody
    log_level: str = "info"
    api_workers: int = 2
    move_workers: int = 2  # the last of them also gives advice
    ladder_workers: int = 1
    move_nice: int = 5  # workers for moves and advice step back behind the API; 19 is the most
    ladder_nice: int = 10
    master_seconds: float = 0.5  # how long the player "master" thinks about an action
    master_threads: int = 2
    hint_iterations: int = 15_000  # of the search behind a hint
    hint_seconds: float = 2.0  # and the most that it takes
    analysis_iterations: int = 4_500  # of the search behind each action of an analysis
    analysis_seconds: float = 1.0  # and the most that it takes
    ai_margin: float = 2.0  # beyond an AI's thinking time, before its turn counts as lost
    ai_lease: float = 2.0  # a thinking job renews its hold on the turn four times in this time
    ai_attempts: int = 2  # how often a lost turn is queued again before a fallback move is played
    sweep_interval: float = 0.25
    maintenance_interval: int = 30
    game_idle_days: int = 30  # a running game is forgotten so long after its last change
    game_kept_days: int = 365  # a finished one
    store_fsync: str = "everysec"
    store_timeout: float = 5.0

    @classmethod
    def from_env(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Read the environment; an empty variable counts as not set. Raises SettingsError."""
        given: dict[str, Any] = {}
        for entry in fields(cls):
            text = environment.get(entry.name.upper(), "").strip()
            if text:
                given[entry.name] = READERS[entry.name](entry.name.upper(), text)
        given.setdefault("data_dir", default_data_dir(environment))
        return cls(**given)

    def to_env(self) -> dict[str, str]:
        """The variables that make `from_env` give these same settings: what a child process needs."""
        return {entry.name.upper(): str(getattr(self, entry.name)) for entry in fields(self)}

    @property
    def named_bots(self) -> dict[str, str]:
        """The bots that ladders of the API may name, and where they are."""
        pairs = (part.split("=", 1) for part in self.ladder_bots.split(",") if part)
        return {name.strip(): spec.strip() for name, spec in pairs}

    @property
    def allowed_origins(self) -> frozenset[str]:
        """The origins of CORS_ORIGINS."""
        return frozenset(self.cors_origins.split(",")) if self.cors_origins else frozenset()

    @property
    def url(self) -> str:
        """Where people reach the page: PUBLIC_URL, or the address this process binds."""
        if self.public_url:
            return self.public_url
        shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)  # noqa: S104
        if ":" in shown and not shown.startswith("["):
            shown = f"[{shown}]"
        return f"http://{shown}:{self.port}"


def whole_number(low: int, high: int) -> Any:
    def read(name: str, text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise SettingsError(f"{name} must be a whole number from {low} to {high}, not {text!r}.")
        return value

    return read


def seconds(low: float, high: float) -> Any:
    def read(name: str, text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise SettingsError(f"{name} must be a number of seconds from {low:g} to {high:g}, not {text!r}.")
        return value

    return read


def one_of(choices: tuple[str, ...]) -> Any:
    def read(name: str, text: str) -> str:
        if text.lower() not in choices:
            raise SettingsError(f"{name} must be one of {', '.join(choices)}, not {text!r}.")
        return text.lower()

    return read


def read_host(name: str, text: str) -> str:
    if any(mark in text for mark in "/ \t@"):
        raise SettingsError(f"{name} must be an address or a host name such as 127.0.0.1, not {text!r}.")
    return text


def read_text(_: str, text: str) -> str:
    return text


def read_admin_token(name: str, text: str) -> str:
    if len(text) < 16 or not text.isascii() or " " in text:
        raise SettingsError(f"{name} must be at least 16 ASCII characters without blanks.")
    refuse_placeholder(name, text)
    return text


def refuse_placeholder(name: str, secret: str) -> None:
    """Raises SettingsError for what stands in examples where a secret is to come, or is as easily guessed."""
    bare = "".join(letter for letter in secret.lower() if letter.isalnum())
    if len(set(secret)) < 6 or any(word in bare for word in PLACEHOLDERS):
        raise SettingsError(
            f"{name} holds a placeholder, or what anybody could guess. Make a secret: openssl rand -hex 24"
        )


def read_bots(name: str, text: str) -> str:
    for part in text.split(","):
        label, equals, spec = part.partition("=")
        if not (equals and label.strip() and ":" in spec):
            raise SettingsError(f"{name} must look like mybot=/path/bot.py:MyBot,other=…, not {part!r}.")
    return text


def read_path(name: str, text: str) -> Path:
    path = Path(text).expanduser().absolute()
    if path.exists() and not path.is_dir():
        raise SettingsError(f"{name} must be a folder, but {text!r} is a file.")
    return path


def read_redis_url(name: str, text: str) -> str:
    try:
        parts = urlsplit(text)
        usable = parts.scheme in STORE_SCHEMES and bool(
            parts.path if parts.scheme == "unix" else parts.hostname
        )
        password = parts.password
        _ = parts.port
    except ValueError:
        usable = False
    if not usable:
        # The address itself may carry a password, so it is not repeated here.
        raise SettingsError(
            f"{name} must look like redis://host:6379/0, rediss://host:6379/0 or unix:///path."
        )
    if password:
        refuse_placeholder(f"The password in {name}", password)
    return text


def read_public_url(name: str, text: str) -> str:
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query
        _ = parts.port
    except ValueError:
        usable = False
    if not usable:
        raise SettingsError(f"{name} must be an address such as https://games.example.org, not {text!r}.")
    return text.rstrip("/")


def read_origins(name: str, text: str) -> str:
    origins = [part.strip().rstrip("/").lower() for part in text.split(",") if part.strip()]
    for origin in origins:
        parts = urlsplit(origin)
        if parts.scheme not in ("http", "https") or f"{parts.scheme}://{parts.netloc}" != origin:
            raise SettingsError(f"{name} must look like https://a.example,https://b.example, not {text!r}.")
    return ",".join(origins)


def read_rate(name: str, text: str) -> str:
    from limits import parse_many

    if text.lower() == "off":
        return "off"
    try:
        parse_many(text)
    except ValueError:
        raise SettingsError(f"{name} must look like 60/minute;1000/hour, or be off, not {text!r}.") from None
    return text


READERS: dict[str, Any] = {
    "host": read_host,
    "port": whole_number(0, 65535),
    "data_dir": read_path,
    "redis_url": read_redis_url,
    "browser": read_text,
    "public_url": read_public_url,
    "trusted_proxies": whole_number(0, 10),
    "cors_origins": read_origins,
    "admin_token": read_admin_token,
    "ladder_bots": read_bots,
    "max_games": whole_number(1, 100_000_000),
    "limit_games": read_rate,
    "limit_imports": read_rate,
    "limit_joins": read_rate,
    "limit_hints": read_rate,
    "limit_analyses": read_rate,
    "limit_ladders": read_rate,
    "metrics": one_of(METRICS_CHOICES),
    "log_level": one_of(LOG_LEVELS),
    "api_workers": whole_number(1, 64),
    "move_workers": whole_number(1, 64),
    "ladder_workers": whole_number(0, 64),
    "move_nice": whole_number(0, 19),
    "ladder_nice": whole_number(0, 19),
    "master_seconds": seconds(0.05, 60),
    "master_threads": whole_number(1, 64),
    "hint_iterations": whole_number(10, 1_000_000),
    "hint_seconds": seconds(0.05, 60),
    "analysis_iterations": whole_number(10, 1_000_000),
    "analysis_seconds": seconds(0.05, 60),
    "ai_margin": seconds(0.1, 60),
    "ai_lease": seconds(0.5, 30),
    "ai_attempts": whole_number(1, 20),
    "sweep_interval": seconds(0.05, 10),
    "maintenance_interval": whole_number(1, 600),
    "game_idle_days": whole_number(1, 3650),
    "game_kept_days": whole_number(1, 3650),
    "store_fsync": one_of(FSYNC_CHOICES),
    "store_timeout": seconds(0.1, 60),
}
