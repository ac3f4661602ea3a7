"""Secrets: a seat's token is 256 random bits and only its digest is stored; a game's id cannot be guessed."""

from __future__ import annotations

import base64
import contextlib
import os
import secrets
from hashlib import sha256

from worker.settings import Settings

ADMIN_FILE = "admin-token"  # in DATA_DIR, for its owner alone


def new_token() -> str:
    """A seat's token, 43 characters that are safe in an address."""
    return secrets.token_urlsafe(32)


def admin_token(settings: Settings) -> str:
    """The administrator's token: ADMIN_TOKEN, or that of the file, which is made where it is missing."""
    if settings.admin_token:
        return settings.admin_token
    file = settings.data_dir / ADMIN_FILE
    with contextlib.suppress(FileExistsError):
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as new:
            new.write(new_token() + "\n")
    return file.read_text().strip()


def token_digest(token: str) -> str:
    """What is stored of a token. It is random enough for a plain hash: nobody can try all tokens."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def new_game_id() -> str:
    """80 random bits as 16 lower case letters and digits: whoever knows the id may watch the game."""
    return base64.b32encode(secrets.token_bytes(10)).decode().lower()


def new_commit_id() -> str:
    return secrets.token_hex(8)


def short_digest(*parts: str) -> str:
    """128 bits that stand for the texts, for idempotency keys and request bodies, in 22 characters."""
    digest = sha256("\0".join(parts).encode(errors="surrogatepass")).digest()
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")
