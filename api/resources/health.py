"""Whether the service lives, and whether it can serve."""

from __future__ import annotations

from flask import Response

from api.errors import RETRY_SECONDS, Refusal
from api.spec import Routes, answer
from api.viewers import store

health = Routes("health", __name__, description="For whoever runs the service")

NOT_KEPT = {"Cache-Control": "no-store"}


@health.operation("GET", "/healthz", 200, "Health")
def healthz() -> Response:
    """Whether this process answers"""
    return answer({"status": "ok"}, headers=NOT_KEPT)


@health.operation("GET", "/readyz", 200, "Readiness", refusals=(503,))
def readyz() -> Response:
    """Whether games can be played: the store takes changes, a worker is there and a sweeper, too"""
    store().require_writes()
    workers = store().workers_alive()
    if not workers:
        raise Refusal(503, "no-workers", headers={"Retry-After": str(RETRY_SECONDS)})
    if not store().sweeper_alive():
        raise Refusal(503, "no-sweeper", headers={"Retry-After": str(RETRY_SECONDS)})
    return answer({"status": "ready", "workers": workers}, headers=NOT_KEPT)
