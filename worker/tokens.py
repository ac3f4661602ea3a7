"""Secrets: a seat's token is 256 random bits and only its digest is stored; a game's id cannot be guessed."""

from __future__ import annotations

import base64
import secrets
from hashlib import sha256


def new_token() -> str:
    """A seat's token, 43 characters that are safe in an address."""
    return secrets.token_urlsafe(32)


def token_digest(token: str) -> str:
    """What is stored of a token. It is random enough for a plain hash: nobody can try all tokens."""
    return sha256(token.encode(errors="surrogatepass")).hexdigest()


def new_game_id() -> str:
    """80 random bits as 16 lower case letters and digits: whoever knows the id may watch the game."""
    return base64.b32encode(secrets.token_bytes(10)).decode().lower()


def new_commit_id() -> str:
    return secrets.token_hex(8)


def short_digest(*parts: str) -> str:
    """128 bits that stand for the texts, for idempotency keys and request bodies."""
    return sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()[:32]
