"""Each request gets an id, is counted and has its line in the log; /metrics tells Prometheus.

An id may come with the request (`X-Request-Id`), is answered, and is in every line that the request brings
about, those of a worker's jobs too.
"""

from __future__ import annotations

import logging
import platform
import re
import secrets
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import version
from itertools import count
from typing import TYPE_CHECKING, Any

import redis
from flask import Blueprint, Flask, Response, current_app, request
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from structlog.contextvars import bind_contextvars, unbind_contextvars

from api.page import API_PREFIX
from api.rates import client
from api.viewers import check_admin, store, store_of
from worker import (
    COUNTED,
    LATENCY,
    REQUEST_ID,
    REQUESTS,
    Counted,
    Gauge,
    StoreUnreachable,
    Tally,
    logger,
    read_counts,
    read_gauges,
)

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse

PREFIX = "stem_branch_"
ID_HEADER = "X-Request-Id"
ID_FORM = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
HAND_OVER_SECONDS = 2.0
METHODS = ("GET", "HEAD", "POST", "OPTIONS")
# What the middleware and the application tell each other about a request, in its WSGI environment.
ID, ROUTE = "stem_branch.request_id", "stem_branch.route"
POLLED = "/api/v1/games/{game_id}"
# Asked again and again; their lines are for the level debug, unless they are refused.
FREQUENT = (POLLED, f"{POLLED}?wait", "/healthz", "/readyz", "/metrics", "/assets/{name}", "page")

watching = Blueprint("watching", __name__)


class Watch:
    """WSGI middleware around everything else."""

    def __init__(self, app: Flask) -> None:
        self.passed_on = app.wsgi_app
        self.tally: Tally = app.extensions["tally"]
        self.log = logging.getLogger("stem-branch")
        prefix = secrets.token_hex(4)
        self.ids = (f"{prefix}{number:08x}" for number in count())

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        began = time.perf_counter()
        given = environ.get("HTTP_X_REQUEST_ID")
        id = environ[ID] = given if given and ID_FORM.fullmatch(given) else next(self.ids)
        status = ""

        def start(told: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            nonlocal status
            status = told[:3]
            headers.append((ID_HEADER, id))
            return start_response(told, headers, *more)

        answer = self.passed_on(environ, start)
        self.note(environ, status, time.perf_counter() - began)
        return answer

    def note(self, environ: dict[str, Any], status: str, seconds: float) -> None:
        method = environ["REQUEST_METHOD"] if environ["REQUEST_METHOD"] in METHODS else "other"
        route = environ.get(ROUTE, "none")
        self.tally.count(REQUESTS, method, route, status)
        self.tally.observe(LATENCY, method, route, value=seconds)
        level = logging.INFO
        if status >= "500":
            level = logging.WARNING
        elif route in FREQUENT and status < "400":
            level = logging.DEBUG
        if self.log.isEnabledFor(level):
            logger().log(
                level, "request", method=method, route=route, status=int(status or 0),
                ms=round(1000 * seconds, 1), **{REQUEST_ID: environ[ID]},
            )  # fmt: skip


def watch(app: Flask) -> None:
    """Count and log the requests of an application; call it last, since what is around it goes unseen."""
    app.extensions["tally"] = Tally()
    app.register_blueprint(watching)

    @app.before_request
    def begin() -> None:
        bind_contextvars(**{REQUEST_ID: request.environ.get(ID, "")})

    @app.after_request
    def name_route(response: Response) -> Response:
        if request.url_rule is not None:
            waits = request.args.get("wait", "0") != "0"
            request.environ[ROUTE] = template(request.url_rule.rule) + ("?wait" if waits else "")
        elif response.status_code < 400 and not request.path.startswith(API_PREFIX):
            request.environ[ROUTE] = "page"
        return response

    @app.teardown_request
    def end(_: BaseException | None) -> None:
        unbind_contextvars(REQUEST_ID)

    app.wsgi_app = Watch(app)  # type: ignore[method-assign]


@lru_cache
def template(rule: str) -> str:
    """A route as the API's description writes it: /games/{game_id}."""
    return re.sub(r"<(?:[^:<>]+:)?(\w+)>", r"{\1}", rule)


def hand_over_regularly(app: Flask) -> None:
    """From now on hand over what this process counts, also while nobody asks anything."""

    def run() -> None:
        while True:
            time.sleep(HAND_OVER_SECONDS)
            with suppress(StoreUnreachable, redis.RedisError):
                app.extensions["tally"].hand_over(store_of(app).client)

    threading.Thread(target=run, name="counts", daemon=True).start()


@watching.get("/metrics")
def metrics() -> Response:
    """For Prometheus: no names, ids, tokens or cards. Without the store it tells that, and little else."""
    games = None
    with suppress(StoreUnreachable, redis.RedisError):
        games = store()
        games.ping()
        if games.settings.metrics == "private" and client(games.settings) is not None:
            check_admin()
        current_app.extensions["tally"].hand_over(games.client)
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Service())
    return Response(
        generate_latest(registry), content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"}
    )


class _Service:
    def collect(self) -> Iterator[Metric]:
        try:
            counts, gauges = read_counts(store().client), read_gauges(store())
        except (StoreUnreachable, redis.RedisError):
            counts, gauges = {}, []
        gauges.append(Gauge("store_up", "Whether the store answers", bool(counts)))
        build = (("python", platform.python_version()), ("version", version("stem-branch")))
        gauges.append(Gauge("build_info", "What runs here", 1, build))
        for what in COUNTED:
            yield _family(what, counts.get(what.name, {}))
        families: dict[str, GaugeMetricFamily] = {}
        for gauge in gauges:
            labels = [name for name, _ in gauge.labels]
            family = families.setdefault(
                gauge.name, GaugeMetricFamily(PREFIX + gauge.name, gauge.help, labels=labels)
            )
            family.add_metric([value for _, value in gauge.labels], float(gauge.value))
        yield from families.values()


def _family(what: Counted, counts: dict[tuple[str, ...], float]) -> Metric:
    if not what.buckets:
        counter = CounterMetricFamily(PREFIX + what.name, what.help, labels=what.labels)
        for labels, count in counts.items():
            counter.add_metric(labels, count)
        if not counts and not what.labels:
            counter.add_metric((), 0)
        return counter
    histogram = HistogramMetricFamily(PREFIX + what.name, what.help, labels=what.labels)
    for labels in dict.fromkeys(labels[:-1] for labels in counts):
        total, buckets = 0.0, []
        for bound in what.bounds:
            total += counts.get((*labels, bound), 0)
            buckets.append((bound, total))
        histogram.add_metric(labels, buckets, counts.get((*labels, "sum"), 0.0))
    return histogram
