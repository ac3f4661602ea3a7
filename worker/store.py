"""Games in Redis.

The keys of a game, all of which expire together:

    sb:game:{id}          hash   what is known of the game:
                                 format       of all that is kept of it: STORED_FORMAT
                                 version      grows by one with every change that a viewer could see
                                 header       what the deal fixed, in the record's form (JSON)
                                 seats        who holds them (JSON)
                                 state        the engine's packed state
                                 played       actions so far
                                 undoable     how many actions of this turn can be taken back, the last first
                                 mode, seat_to_act, over, result, deal, public, replay, hints
                                 absence_minutes   until the person to act counts as absent (empty: never)
                                 created_at, updated_at    milliseconds since 1970
                                 next_game    the id of its rematch, once there is one
                                 order        place in the public list
                                 patience     seconds granted to the AI to move
                                 attempts     how often its turn was lost since the last change
    sb:game:{id}:log      list   one line an action: version after it, time, what was done (see actionlog)
    sb:game:{id}:undone   list   the latest 40 actions taken back: index, version after it, the log's line
    sb:game:{id}:tokens   hash   SHA-256 of a token -> its seat
    sb:game:{id}:keys     hash   digest of seat and idempotency key -> digest of request, version, index;
                                 the latest 64
    sb:game:{id}:recent   list   the last 32 commits (id, version, index), for commands sent twice

and those of all games together:

    sb:due                sorted set   games in which an AI is to move, by the time its turn counts as lost
    sb:public             sorted set   public games, by the time they were made
    sb:public:open, sb:public:running, sb:public:over    the same, by status
    sb:sweeper            string       there while a sweeper is at work
    sb:writable           string       written to see whether the store takes changes
    sb:games:open, sb:games:running, sb:games:over       sorted sets   all games, by the time they expire

commit.lua makes all changes.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import redis

import ai
from engine import Action, Game, GameError, IllegalAction, may_be_undone
from worker.actionlog import (
    Json,
    LogEntry,
    UndoneEntry,
    moment,
    pack_entry,
    read_action,
    read_entry,
    read_undone,
)
from worker.errors import (
    ActionUndone,
    AnothersAction,
    BadToken,
    GameOver,
    KeyReused,
    NewerFormat,
    NoSuchGame,
    NoSuchSeat,
    NotAbsent,
    NothingToUndo,
    NotOver,
    ReadOnly,
    RematchMade,
    SeatNotHeld,
    SeatTaken,
    StaleVersion,
    StoreError,
    StoreUnreachable,
    TooManyGames,
    UnknownPlayer,
)
from worker.log import logger
from worker.queues import MOVES, SILENCE, enqueue_turn, waiting_turns, workers_alive
from worker.settings import Settings
from worker.tokens import new_commit_id, new_game_id, new_token, short_digest, token_digest

Deal = Literal["secret", "seed", "record"]
Status = Literal["open", "running", "over"]

DAY = 86_400
WRITTEN_POLL = 0.002
SEAT_TRIES = 20  # joining and leaving begin again when something else happened in between

# The form in which a game is kept, here and in actionlog; a game without the field has format 1. Every format
# that was ever released is read for ever: a change of it needs a new number, and a fixture of the old one.
STORED_FORMAT = 1

PUBLIC = "sb:public"
DUE = "sb:due"
GAMES = "sb:games"
SWEEPER = "sb:sweeper"
STATUSES: tuple[Status, ...] = ("open", "running", "over")
# What commit.lua changes: the keys of a game, and the lists of all games.
KINDS = ("", "log", "tokens", "keys", "recent", "undone")
LISTS = (DUE, PUBLIC, *(f"{each}:{status}" for each in (PUBLIC, GAMES) for status in STATUSES))

_FIELDS = (
    "version", "header", "seats", "state", "played", "undoable", "public", "deal", "replay", "hints",
    "absence_minutes", "created_at", "updated_at", "next_game", "format",
)  # fmt: skip
_SUMMARY = (
    "mode", "seats", "seat_to_act", "over", "result", "played", "created_at", "updated_at", "deal",
)  # fmt: skip

# A server that cannot take a change now: its memory or disk is full, it is a replica, or busy with a script.
_REFUSALS = (redis.OutOfMemoryError, redis.ReadOnlyError, redis.exceptions.MasterDownError)
_REFUSAL_CODES = ("MISCONF", "NOREPLICAS", "BUSY")


@dataclass(frozen=True)
class Created:
    """A new game; `tokens` are those of its human seats, and are told here only."""

    id: str
    version: int
    tokens: dict[int, str]


@dataclass(frozen=True)
class Stored:
    """A game as it was at `version`. `game` is the reader's own copy; the seat to act may take back as many
    actions of its turn as `undoable` says."""

    id: str
    version: int
    game: Game
    undoable: int
    public: bool
    deal: Deal
    replay: bool
    hints: bool
    absence_minutes: int | None
    created_at: datetime
    updated_at: datetime
    next_game: str | None
    """Its rematch, if there is one."""

    @property
    def absent_at(self) -> datetime | None:
        """When the person to act counts as absent; None if it is no person, or where no time was set."""
        seat = self.game.seat_to_act
        if self.absence_minutes is None or self.replay or seat is None:
            return None
        if self.game.seats[seat]["player"] != "human":
            return None
        return self.updated_at + timedelta(minutes=self.absence_minutes)


@dataclass(frozen=True)
class Applied:
    """A committed action: the game's version after it, its index in the record, and its whole outcome.
    `repeated`: it had been committed before under the same idempotency key."""

    version: int
    index: int
    outcome: Json
    repeated: bool


@dataclass(frozen=True)
class Undone:
    """An action taken back: the game's version after that, and the index that it had in the record.
    `repeated`: it had been taken back before under the same idempotency key."""

    version: int
    index: int
    repeated: bool


@dataclass(frozen=True)
class Summary:
    """A line of the public list."""

    id: str
    mode: str
    seats: list[Json]
    seat_to_act: int | None
    over: bool
    result: Json | None
    actions_played: int
    created_at: datetime
    updated_at: datetime
    deal: Deal


@dataclass(frozen=True)
class Turn:
    """An overdue turn that a sweeper has taken on: for the `attempt`-th time since the game's last change."""

    id: str
    version: int
    attempt: int


@contextlib.contextmanager
def reaching_the_store() -> Iterator[None]:
    try:
        yield
    except (redis.ConnectionError, redis.TimeoutError) as error:
        raise StoreUnreachable("The store does not answer.") from error
    except redis.ResponseError as error:
        if isinstance(error, _REFUSALS) or str(error).startswith(_REFUSAL_CODES):
            raise StoreUnreachable("The store takes no changes now.") from error
        raise


class Store:
    """The games. Make one in each process, with a client of that process's own (`connect`).

    Safe to use from several threads. Every method may raise StoreUnreachable; what it was to do may then have
    happened or not, and can be sent again with the same idempotency key.
    """

    def __init__(self, client: redis.Redis, settings: Settings | None = None) -> None:
        """`settings` give how long games are kept and how long an AI's turn may take; defaults without."""
        self.client: Any = client
        self.settings = settings or Settings()
        folder = Path(__file__).parent
        self._commit = self.client.register_script((folder / "commit.lua").read_text())
        self._claim = self.client.register_script((folder / "claim.lua").read_text())
        self._hold = self.client.register_script((folder / "hold.lua").read_text())

    @reaching_the_store()
    def create(
        self,
        game: Game,
        *,
        public: bool = False,
        deal: Deal = "secret",
        replay: bool = False,
        hints: bool = False,
        absence_minutes: int | None = None,
        after: str | None = None,
    ) -> Created:
        """Store a new game, with the actions it has; if an AI is to move, it begins.

        `deal` says who could know the cards: nobody, whoever chose the seed, or whoever knows the record.
        A `replay` is only looked at: nobody gets a token and nobody moves. With `hints` the seat to move may
        ask for one. Who lets the others wait for `absence_minutes` may be replaced. `after` is the finished
        game whose rematch this is; it then names the new one. Raises TooManyGames; for `after` NoSuchGame,
        ReadOnly, NotOver, RematchMade.
        """
        if after is not None:
            self._require_rematch(self.read(after))
        actions, outcomes = game.actions, _outcomes(game)
        header = game.header()
        seats = header.pop("seats")
        tokens = {
            seat: new_token()
            for seat, holder in enumerate(seats)
            if holder["player"] == "human" and not replay and not game.over
        }
        created = Created(new_game_id(), 1 + len(actions), tokens)
        fields = {
            "header": _compact(header),
            "mode": game.mode,
            "public": int(public),
            "deal": deal,
            "replay": int(replay),
            "hints": int(hints),
            "absence_minutes": "" if absence_minutes is None else absence_minutes,
        }
        what, *_ = self._change(
            created.id,
            0,
            created.version,
            game,
            replay=replay,
            entries=[pack_entry(*pair) for pair in zip(actions, outcomes, strict=True)],
            tokens={token_digest(token): seat for seat, token in tokens.items()},
            fields=fields,
        )
        if what == "full":
            raise TooManyGames(f"{self.settings.max_games} games are kept")
        if what != "applied":
            raise RuntimeError("a new game's id was taken")
        if after is not None:
            try:
                self._name_rematch(after, created.id)
            except StoreError:
                self._drop(created.id)
                raise
        self._start_ai(created.id, created.version, game, replay)
        logger().info(
            "game_created", game=created.id, mode=game.mode, seats=len(seats), deal=deal, replay=replay
        )
        return created

    def _require_rematch(self, stored: Stored) -> None:
        if stored.replay:
            raise ReadOnly(stored.id)
        if not stored.game.over:
            raise NotOver(stored.id)
        if stored.next_game is not None:
            raise RematchMade(stored.next_game)

    def _name_rematch(self, id: str, next_game: str) -> None:
        """Let the finished game `id` name its rematch, which it does once."""
        commit = new_commit_id()
        for _ in range(SEAT_TRIES):
            stored = self.read(id)
            if stored.next_game == next_game:
                return
            self._require_rematch(stored)
            what, version, _index = self._change(
                id,
                stored.version,
                stored.version + 1,
                stored.game,
                commit=commit,
                fields={"next_game": next_game},
            )
            if what != "stale":
                self._require(what, id, version)
                logger().info("rematch_made", game=id, version=version, next_game=next_game)
                return
        raise StaleVersion(stored.version)

    def _drop(self, id: str) -> None:
        """Forget a game that nobody has heard of."""
        with self.client.pipeline(transaction=True) as pipe:
            pipe.delete(*(game_key(id, kind) for kind in KINDS))
            for index in LISTS:
                pipe.zrem(index, id)
            pipe.execute()

    @reaching_the_store()
    def read(self, id: str) -> Stored:
        """The game without its list of actions: enough for every view of the table. Raises NoSuchGame, and as
        everything that looks into a game, NewerFormat."""
        return self._stored(id, self.client.hmget(game_key(id), _FIELDS))

    @reaching_the_store()
    def load(self, id: str) -> Stored:
        """The game with its actions, for its record and its earlier positions. Raises NoSuchGame."""
        with self.client.pipeline(transaction=True) as pipe:
            pipe.hmget(game_key(id), _FIELDS)
            pipe.lrange(game_key(id, "log"), 0, -1)
            values, lines = pipe.execute()
        return self._stored(id, values, [read_action(line) for line in lines])

    @reaching_the_store()
    def version(self, id: str) -> int:
        """The game's version, by one small read. Raises NoSuchGame."""
        version = self.client.hget(game_key(id), "version")
        if version is None:
            raise NoSuchGame(id)
        return int(version)

    @reaching_the_store()
    def seat_of(self, id: str, token: str) -> int:
        """The seat that the token opens. Raises NoSuchGame, BadToken."""
        with self.client.pipeline(transaction=False) as pipe:
            pipe.exists(game_key(id))
            pipe.hget(game_key(id, "tokens"), token_digest(token))
            exists, seat = pipe.execute()
        if not exists:
            raise NoSuchGame(id)
        if seat is None:
            raise BadToken(id)
        return int(seat)

    @reaching_the_store()
    def act(
        self,
        id: str,
        seat: int,
        action: Action,
        expected_version: int,
        key: str | None = None,
        body_hash: str | None = None,
    ) -> Applied:
        """Play an action of `seat` in the game as it was at `expected_version`.

        `key` is an idempotency key of this seat: once committed, the same request gets the same answer, and
        another one (told by `body_hash`, or without it by action and version) KeyReused. When the action has
        been taken back since, its key gets ActionUndone. A refused action leaves its key unused. Raises
        IllegalAction and MalformedAction as the engine does, StaleVersion, KeyReused, ActionUndone,
        NoSuchGame, ReadOnly.
        """
        used = _used_key(seat, key, body_hash or json.dumps([action, expected_version], sort_keys=True))
        with self.client.pipeline(transaction=True) as pipe:
            pipe.hmget(game_key(id), _FIELDS)
            pipe.hget(game_key(id, "keys"), used[0])
            values, known = pipe.execute()
        if known:
            version, index = _known_change(id, known, used[1])
            applied = self._again(id, version, index)
            self._require_written(id, version)
            return applied
        stored = self._stored(id, values, [])
        if stored.replay:
            raise ReadOnly(id)
        if stored.version != expected_version:
            raise StaleVersion(stored.version)
        game = stored.game
        if isinstance(action, dict) and action.get("seat") == game.seat_to_act != seat:
            raise IllegalAction("not-your-turn", "R4", seat_to_act=game.seat_to_act)
        outcome = game.apply(action)
        what, version, index = self._change(
            id,
            expected_version,
            expected_version + 1,
            game,
            entries=[pack_entry(game.actions[-1], outcome)],
            key=used,
            fields={"undoable": stored.undoable + 1 if may_be_undone(outcome) else 0},
        )
        self._require(what, id, version)
        if what == "repeated":
            return self._again(id, version, index)
        self._start_ai(id, version, game)
        return Applied(version, index, outcome, repeated=False)

    @reaching_the_store()
    def undo(
        self,
        id: str,
        seat: int,
        expected_version: int,
        key: str | None = None,
        body_hash: str | None = None,
    ) -> Undone:
        """Take back the last action of the game as it was at `expected_version`: an action of the turn that
        still is `seat`'s, and one that showed no hidden card. The log keeps it among those undone.

        `key` is as in `act`. Raises NothingToUndo, AnothersAction, StaleVersion, KeyReused, NoSuchGame,
        ReadOnly.
        """
        used = _used_key(seat, key, body_hash or json.dumps(["undo", expected_version]))
        with self.client.pipeline(transaction=True) as pipe:
            pipe.hmget(game_key(id), _FIELDS)
            pipe.lrange(game_key(id, "log"), 0, -1)
            pipe.hget(game_key(id, "keys"), used[0])
            values, lines, known = pipe.execute()
        if known:
            version, index = _known_change(id, known, used[1])
            self._require_written(id, version)
            return Undone(version, index, repeated=True)
        stored = self._stored(id, values, [read_action(line) for line in lines])
        if stored.replay:
            raise ReadOnly(id)
        if stored.version != expected_version:
            raise StaleVersion(stored.version)
        if not stored.undoable:
            raise NothingToUndo(id)
        game = stored.game
        if game.seat_to_act != seat:
            raise AnothersAction(id)
        game.undo()
        what, version, index = self._change(
            id,
            expected_version,
            expected_version + 1,
            game,
            undo=True,
            key=used,
            fields={"undoable": stored.undoable - 1},
        )
        self._require(what, id, version)
        if what == "applied":
            logger().info("action_undone", game=id, version=version, seat=seat, index=index)
        return Undone(version, index, repeated=what == "repeated")

    @reaching_the_store()
    def log(self, id: str, after: int = -1, limit: int = 100) -> list[LogEntry]:
        """At most `limit` actions of the game from index `after` + 1 on. Raises NoSuchGame."""
        return self.history(id, after, limit)[0]

    @reaching_the_store()
    def history(self, id: str, after: int = -1, limit: int = 100) -> tuple[list[LogEntry], list[UndoneEntry]]:
        """The same, and all actions taken back that are known, as both are at one moment."""
        with self.client.pipeline(transaction=True) as pipe:
            pipe.exists(game_key(id))
            pipe.lrange(game_key(id, "log"), after + 1, after + limit)
            pipe.lrange(game_key(id, "undone"), 0, -1)
            exists, lines, undone = pipe.execute()
        if not exists:
            raise NoSuchGame(id)
        entries = [read_entry(after + 1 + offset, line) for offset, line in enumerate(lines)]
        return entries, [read_undone(line) for line in undone]

    @reaching_the_store()
    def join(self, id: str, seat: int, name: str) -> tuple[str, int]:
        """Give an open seat to a person: the seat's new token, and the game's version.

        Raises SeatTaken, NoSuchSeat, NoSuchGame, ReadOnly, GameOver, and the engine's BadSetup for the name.
        """
        token = new_token()
        for _ in range(SEAT_TRIES):
            stored = self._with_running_seat(id, seat)
            if stored.game.seats[seat]["player"] != "open":
                raise SeatTaken(id)
            stored.game.set_seat(seat, name, "human")
            what, version, _index = self._change(
                id, stored.version, stored.version + 1, stored.game, tokens={token_digest(token): seat}
            )
            if what != "stale":
                self._require(what, id, version)
                self._start_ai(id, version, stored.game)
                logger().info("seat_joined", game=id, version=version, seat=seat)
                return token, version
        raise StaleVersion(stored.version)

    @reaching_the_store()
    def leave(self, id: str, seat: int, replacement: str) -> int:
        """Hand a person's seat to the AI player `replacement` and revoke its token: the game's version.

        Raises SeatNotHeld, UnknownPlayer, NoSuchSeat, NoSuchGame, ReadOnly, GameOver.
        """
        return self._hand_over(id, seat, replacement, "seat_left")

    @reaching_the_store()
    def replace(self, id: str, seat: int, replacement: str) -> int:
        """The same for a person who counts as absent, at somebody else's wish.

        Raises NotAbsent, and what `leave` raises.
        """
        return self._hand_over(id, seat, replacement, "seat_replaced", if_absent=True)

    def _hand_over(self, id: str, seat: int, replacement: str, event: str, if_absent: bool = False) -> int:
        if replacement not in ai.PLAYERS:
            raise UnknownPlayer(replacement)
        commit = new_commit_id()
        for _ in range(SEAT_TRIES):
            stored = self._with_running_seat(id, seat)
            holder = stored.game.seats[seat]
            if holder["player"] != "human":
                raise SeatNotHeld(id)
            if if_absent:
                self._require_absence(stored, seat)
            stored.game.set_seat(seat, holder["name"], replacement)
            what, version, _index = self._change(
                id, stored.version, stored.version + 1, stored.game, revoked=seat, commit=commit
            )
            if what != "stale":
                self._require(what, id, version)
                self._start_ai(id, version, stored.game)
                logger().info(event, game=id, version=version, seat=seat, player=replacement)
                return version
        raise StaleVersion(stored.version)

    @reaching_the_store()
    def list_public(
        self, cursor: str | None = None, limit: int = 50, status: Status | None = None
    ) -> tuple[list[Summary], str | None]:
        """Public games, the newest first, and the cursor of the next page (None: there is none).

        Raises ValueError for a cursor that this method did not give.
        """
        if cursor is not None and not cursor.isdecimal():
            raise ValueError("not a cursor of this list")
        index = PUBLIC if status is None else f"{PUBLIC}:{status}"
        newest = "+inf" if cursor is None else f"({cursor}"
        page = self.client.zrange(
            index, newest, "-inf", desc=True, byscore=True, offset=0, num=limit + 1, withscores=True
        )
        with self.client.pipeline(transaction=False) as pipe:
            for id, _ in page[:limit]:
                pipe.hmget(game_key(id.decode()), _SUMMARY)
            found = pipe.execute()
        games = [
            _summary(id.decode(), values)
            for (id, _), values in zip(page, found, strict=False)
            if values[0] is not None
        ]
        more = len(page) > limit
        return games, f"{int(page[limit - 1][1])}" if more else None

    @reaching_the_store()
    def ping(self) -> None:
        """Return if the store answers."""
        self.client.ping()

    @reaching_the_store()
    def require_writes(self) -> None:
        """Return if the store takes changes."""
        self.client.set("sb:writable", 1, ex=SILENCE)

    @reaching_the_store()
    def sweeper_lives(self) -> None:
        """A sweeper's sign of life."""
        self.client.set(SWEEPER, 1, ex=SILENCE)

    @reaching_the_store()
    def sweeper_alive(self) -> bool:
        """Whether a sweeper was heard of in the last seconds."""
        return bool(self.client.exists(SWEEPER))

    @reaching_the_store()
    def workers_alive(self, queue: str = MOVES) -> int:
        """How many workers of the queue were heard of in the last seconds."""
        return workers_alive(self.client, queue)

    @reaching_the_store()
    def overdue(self, limit: int = 100) -> list[Turn]:
        """Take on the AI turns that count as lost now; each is given to one caller, with a new deadline.

        A turn whose job waits while there are workers is not lost: they are busy, and it gets more time.
        """
        seconds, microseconds = self.client.time()
        now = seconds * 1000 + microseconds // 1000
        due = self.client.zrange(DUE, "-inf", now, byscore=True, offset=0, num=limit)
        waiting = waiting_turns(self.client) if due else {}
        turns = []
        for raw in due:
            id = raw.decode()
            claimed = self._claim(keys=[game_key(id), DUE], args=[id, waiting.get(id, "")])
            if claimed:
                turns.append(Turn(id, *claimed))
        return turns

    @reaching_the_store()
    def hold(self, id: str, version: int, seconds: float) -> bool:
        """Say that the AI's turn is being worked on: it counts as lost when nothing more is heard for
        `seconds`. False when the game has gone on."""
        return bool(self._hold(keys=[game_key(id), DUE], args=[id, version, seconds]))

    @reaching_the_store()
    def forget_expired(self) -> int:
        """Drop expired games from all lists: how many public ones there were."""
        gone = 0
        seconds, _ = self.client.time()
        for status in STATUSES:
            self.client.zremrangebyscore(f"{GAMES}:{status}", "-inf", seconds * 1000)
        position = 0
        while page := self.client.zrange(PUBLIC, position, position + 499):
            with self.client.pipeline(transaction=False) as pipe:
                for id in page:
                    pipe.exists(game_key(id.decode()))
                expired = [id for id, there in zip(page, pipe.execute(), strict=True) if not there]
            if expired:
                for index in (PUBLIC, *(f"{PUBLIC}:{status}" for status in STATUSES)):
                    self.client.zrem(index, *expired)
            gone += len(expired)
            position += len(page) - len(expired)
        return gone

    def enqueue(self, turn: Turn, player: str) -> None:
        """Queue the job that plays the turn."""
        with reaching_the_store():
            enqueue_turn(self.client, turn.id, turn.version, turn.attempt, self.patience(player))

    def budget(self, player: str) -> ai.Budget:
        """How long an AI thinks about an action: the master as the settings have it."""
        if player == "master":
            return ai.Budget(self.settings.master_seconds, threads=self.settings.master_threads)
        return ai.PLAYERS[player].budget

    def patience(self, player: str) -> float:
        """Seconds after which a turn of this AI counts as lost."""
        return self.budget(player).seconds + self.settings.ai_margin

    def _stored(self, id: str, values: list[bytes | None], actions: list[Action] | None = None) -> Stored:
        given = dict(zip(_FIELDS, values, strict=True))
        if given["version"] is None:
            raise NoSuchGame(id)
        told: Any = given
        if int(told["format"] or 1) > STORED_FORMAT:
            raise NewerFormat(id)
        header = {**json.loads(told["header"]), "seats": json.loads(told["seats"])}
        played = int(told["played"])
        game = _restored(header, actions, told["state"], played)
        if game is None:
            # The state is of an older program; the actions tell it anew.
            lines = self.client.lrange(game_key(id, "log"), 0, played - 1)
            game = Game.restore(header, [read_action(line) for line in lines], told["state"])
        return Stored(
            id=id,
            version=int(told["version"]),
            game=game,
            undoable=int(told["undoable"] or 0),
            public=told["public"] == b"1",
            deal=told["deal"].decode(),
            replay=told["replay"] == b"1",
            hints=told["hints"] == b"1",
            absence_minutes=int(told["absence_minutes"]) if told["absence_minutes"] else None,
            created_at=moment(told["created_at"]),
            updated_at=moment(told["updated_at"]),
            next_game=told["next_game"].decode() if told["next_game"] else None,
        )

    def _with_running_seat(self, id: str, seat: int) -> Stored:
        stored = self._stored(id, self.client.hmget(game_key(id), _FIELDS))
        if not 0 <= seat < len(stored.game.seats):
            raise NoSuchSeat(id)
        if stored.replay:
            raise ReadOnly(id)
        if stored.game.over:
            raise GameOver(id)
        return stored

    def _require_absence(self, stored: Stored, seat: int) -> None:
        """By the store's clock, which dates the changes. Nothing that the commit finds unchanged ends it."""
        absent_at = stored.absent_at if stored.game.seat_to_act == seat else None
        seconds, microseconds = self.client.time()
        if absent_at is None or moment(seconds * 1000 + microseconds // 1000) < absent_at:
            raise NotAbsent(absent_at)

    def _change(
        self,
        id: str,
        expected: int,
        after: int,
        game: Game,
        *,
        replay: bool = False,
        entries: list[bytes] | None = None,
        tokens: dict[str, int] | None = None,
        revoked: int | None = None,
        undo: bool = False,
        key: tuple[str, str] = ("", ""),
        commit: str | None = None,
        fields: dict[str, Any] | None = None,
    ) -> tuple[str, int, int]:
        """Run commit.lua: what it says, the version and the index of the action."""
        seats = game.seats
        seat = game.seat_to_act
        player = "" if seat is None or replay else seats[seat]["player"]
        status: Status = "running"
        if game.over or replay:
            status = "over"
        elif any(holder["player"] == "open" for holder in seats):
            status = "open"
        days = self.settings.game_kept_days if status == "over" else self.settings.game_idle_days
        keep = {
            "format": STORED_FORMAT,
            "state": game.state_bytes(),
            "seats": _compact(seats),
            "played": game.actions_played,
            "seat_to_act": "" if seat is None else seat,
            "over": int(game.over),
            "result": _compact(game.result),
            **(fields or {}),
        }
        args: list[Any] = [id, expected, after, commit or new_commit_id()]
        args += [self.patience(player) if player in ai.PLAYERS else "", days * DAY, status, *key]
        args += ["" if revoked is None else revoked, "undo" if undo else ""]
        args += [self.settings.max_games, len(tokens or {})]
        args += [part for pair in (tokens or {}).items() for part in pair]
        args += [len(entries or []), *(entries or [])]
        args += [part for pair in keep.items() for part in pair]
        what, version, index, _ = self._commit(
            keys=[*(game_key(id, kind) for kind in KINDS), *LISTS], args=args
        )
        if what in (b"applied", b"repeated"):
            self._require_written(id, version)
        return what.decode(), version, index

    def _require_written(self, id: str, version: int) -> None:
        """Return once the server has handed the game's `version` to its machine's kernel, so that a server
        killed from now on has lost nothing of it. Raises StoreUnreachable.

        A server that appends to a file answers before that when its disk is full, and, unless it flushes
        always, for up to two seconds while an earlier flush is under way.
        """
        deadline = time.monotonic() + self.settings.store_timeout
        while True:
            with self.client.pipeline(transaction=True) as pipe:
                pipe.info("persistence")
                pipe.hget(game_key(id), "version")
                told, version_now = pipe.execute()
            if told.get("aof_last_write_status", "ok") != "ok":
                raise StoreUnreachable("The store cannot write to its disk.")
            if int(version_now or 0) < version:
                raise StoreUnreachable("The store was ended before it had written the change.")
            if not told.get("aof_buffer_length"):
                return
            if time.monotonic() > deadline:
                raise StoreUnreachable("The store's disk does not keep up.")
            time.sleep(WRITTEN_POLL)

    def _require(self, what: str, id: str, version: int) -> None:
        if what == "gone":
            raise NoSuchGame(id)
        if what == "reused":
            raise KeyReused(id)
        if what == "stale":
            raise StaleVersion(version)

    def _again(self, id: str, version: int, index: int) -> Applied:
        entries = self.log(id, index - 1, 1)
        if not entries or entries[0].version != version:
            raise ActionUndone(id)
        return Applied(version, index, entries[0].outcome, repeated=True)

    def _start_ai(self, id: str, version: int, game: Game, replay: bool = False) -> None:
        seat = game.seat_to_act
        if seat is None or replay:
            return
        player = game.seats[seat]["player"]
        if player not in ai.PLAYERS:
            return
        try:
            self.enqueue(Turn(id, version, 0), player)
        except StoreUnreachable:
            # The commit stands and has noted the deadline: the sweeper queues the turn.
            logger().warning("turn_not_queued", game=id, version=version)


def game_key(id: str, kind: str = "") -> str:
    """The key of what is kept of a game."""
    return f"sb:game:{id}:{kind}" if kind else f"sb:game:{id}"


def _compact(value: Any) -> bytes:
    # A name may hold half a surrogate pair, which JSON can say and UTF-8 proper cannot; json.loads reads it.
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(errors="surrogatepass")


def _used_key(seat: int, key: str | None, request: str) -> tuple[str, str]:
    """What is kept of a seat's idempotency key: its field, and the digest of the request it came with."""
    return ("", "") if key is None else (short_digest(str(seat), key), short_digest(request))


def _known_change(id: str, known: bytes, digest: str) -> tuple[int, int]:
    """Version and index of the change that came with a key. Raises KeyReused if it was another's."""
    known_digest, version, index = known.decode().split()
    if known_digest != digest:
        raise KeyReused(id)
    return int(version), int(index)


def _restored(header: Json, actions: list[Action] | None, state: bytes, played: int) -> Game | None:
    try:
        game = Game.restore(header, actions, state)
    except GameError:
        return None
    return game if game.actions_played == played else None


def _outcomes(game: Game) -> list[Json]:
    """What came of each action of a game that was played elsewhere."""
    if not game.actions:
        return []
    header = {key: value for key, value in game.header().items() if key != "ended"}
    again = Game.from_record({**header, "actions": [], "result": None})
    return [again.apply(action) for action in game.actions]


def _summary(id: str, values: list[bytes]) -> Summary:
    told = dict(zip(_SUMMARY, values, strict=True))
    return Summary(
        id=id,
        mode=told["mode"].decode(),
        seats=json.loads(told["seats"]),
        seat_to_act=int(told["seat_to_act"]) if told["seat_to_act"] else None,
        over=told["over"] == b"1",
        result=json.loads(told["result"]),
        actions_played=int(told["played"]),
        created_at=moment(told["created_at"]),
        updated_at=moment(told["updated_at"]),
        deal=told["deal"].decode(),  # type: ignore[arg-type]
    )
