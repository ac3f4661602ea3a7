"""Games in the store: every change is whole, happens once, and is refused when it comes too late."""

import random
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine import Game, IllegalAction, MalformedAction
from tests.worker.conftest import everything, game_where, seats, until
from worker import (
    BadToken,
    EmbeddedStore,
    GameOver,
    KeyReused,
    NoSuchGame,
    NoSuchSeat,
    ReadOnly,
    SeatNotHeld,
    SeatTaken,
    Settings,
    StaleVersion,
    Store,
    StoreUnreachable,
    TooManyGames,
    UnknownPlayer,
    connect,
)
from worker.connection import CONNECTIONS

OpenStore = Callable[[Settings], Store]
DAY = 86_400


def draw(store: Store, id: str, place: int | str = "deck") -> dict[str, Any]:
    return {"seat": store.read(id).game.seat_to_act, "type": "draw", "source": place}


def played_out(game: Game, choose: random.Random) -> Game:
    while not game.over:
        game.apply(choose.choice(game.legal_actions()))
    return game


class TestReading:
    def test_a_stored_game_is_the_game_that_was_made(self, store: Store):
        game = Game.new("cooperative", seats("human", "human", "open"), options={"hands": "open"})
        created = store.create(game, public=True, deal="seed")
        stored = store.read(created.id)
        assert (stored.version, stored.public, stored.deal, stored.replay) == (1, True, "seed", False)
        assert stored.game.state_bytes() == game.state_bytes()
        assert stored.game.header() == game.header()
        assert store.load(created.id).game.record() == game.record()
        assert store.version(created.id) == 1

    def test_tokens_are_given_to_human_seats_only_and_open_their_seat_only(self, store: Store):
        one = store.create(game_where(0, "human", "open", "human"))
        other = store.create(game_where(0, "human", "human"))
        assert set(one.tokens) == {0, 2}
        assert {store.seat_of(one.id, token) for token in one.tokens.values()} == {0, 2}
        for token in (other.tokens[0], "", "x" * 43, "\ud83d\ude00 ü"[2:]):
            with pytest.raises(BadToken):
                store.seat_of(one.id, token)
        with pytest.raises(NoSuchGame):
            store.seat_of("nowhere", one.tokens[0])

    def test_tokens_are_nowhere_in_the_store(self, store: Store):
        created = store.create(game_where(0, "human", "open"))
        token, _ = store.join(created.id, 1, "Mai")
        whole = b"".join(everything(store).values())
        for secret in (token, *created.tokens.values()):
            assert secret.encode() not in whole

    def test_ids_and_tokens_cannot_be_guessed(self, store: Store):
        made = [store.create(game_where(0, "human", "human")) for _ in range(50)]
        tokens = [token for created in made for token in created.tokens.values()]
        assert len({created.id for created in made}) == 50
        assert len(set(tokens)) == 100
        assert all(len(created.id) == 16 for created in made)
        assert all(len(token) == 43 for token in tokens)

    @pytest.mark.parametrize("what", ["read", "load", "version", "log"])
    def test_a_game_that_is_not_there_is_told_as_such(self, store: Store, what: str):
        with pytest.raises(NoSuchGame):
            getattr(store, what)("nowhere")

    def test_a_reader_changes_no_game_but_its_own(self, store: Store):
        id = store.create(game_where(0, "human", "human")).id
        before = everything(store)
        stored = store.read(id)
        stored.game.apply(stored.game.legal_actions()[0])
        stored.game.set_seat(0, "Somebody", "open")
        assert everything(store) == before
        assert store.read(id).game.seats[0]["player"] == "human"

    def test_the_state_of_an_older_program_is_told_anew_by_the_actions(self, store: Store):
        id = store.create(game_where(0, "human", "human")).id
        for _ in range(5):
            stored = store.read(id)
            seat = stored.game.seat_to_act
            assert seat is not None
            store.act(id, seat, stored.game.legal_actions()[-1], stored.version)
        now = store.read(id)
        store.client.hset(f"sb:game:{id}", "state", b"packed otherwise")
        assert store.read(id).game.state_bytes() == now.game.state_bytes()
        assert store.load(id).game.record()["actions"] == [entry.action for entry in store.log(id)]
        seat = now.game.seat_to_act
        assert seat is not None
        store.act(id, seat, now.game.legal_actions()[0], now.version)
        assert store.read(id).game.actions_played == 6


class TestActing:
    def test_a_whole_game_is_kept_action_by_action(self, store: Store):
        choose = random.Random(4)
        for mode in ("competitive", "cooperative"):
            id = store.create(game_where(0, "human", "human", mode=mode)).id
            outcomes = []
            while not (stored := store.read(id)).game.over:
                seat = stored.game.seat_to_act
                assert seat is not None
                applied = store.act(id, seat, choose.choice(stored.game.legal_actions()), stored.version)
                assert applied.version == stored.version + 1
                assert applied.index == stored.game.actions_played
                assert not applied.repeated
                outcomes.append(applied.outcome)
            whole = store.load(id)
            assert Game.from_record(whole.game.record()).state_bytes() == whole.game.state_bytes()
            log = [entry for start in range(-1, len(outcomes), 7) for entry in store.log(id, start, 7)]
            assert [entry.index for entry in log] == list(range(len(outcomes)))
            assert [entry.version for entry in log] == list(range(2, len(outcomes) + 2))
            assert [entry.outcome for entry in log] == outcomes
            assert [entry.action for entry in log] == whole.game.actions
            assert sorted(log, key=lambda entry: entry.at) == log

    def test_an_action_is_refused_at_any_version_but_the_current(self, store: Store):
        id = store.create(game_where(0, "human", "human")).id
        store.act(id, 0, draw(store, id), 1)
        before = everything(store)
        for version in (0, 1, 3, -1, 10**12):
            with pytest.raises(StaleVersion) as refusal:
                store.act(id, 0, draw(store, id), version)
            assert refusal.value.current == 2
        assert everything(store) == before

    def test_a_refused_action_changes_nothing(self, store: Store):
        id = store.create(game_where(0, "human", "human")).id
        before = everything(store)
        for seat, action, refusal in (
            (0, {"seat": 0, "type": "pass"}, IllegalAction),
            (1, {"seat": 1, "type": "draw", "source": "deck"}, IllegalAction),
            (1, {"seat": 0, "type": "draw", "source": "deck"}, IllegalAction),  # with another seat's token
            (0, {"seat": 1, "type": "draw", "source": "deck"}, IllegalAction),
            (0, {"seat": 0, "type": "draw"}, MalformedAction),
            (0, [], MalformedAction),
        ):
            with pytest.raises(refusal):
                store.act(id, seat, action, 1, key="one")  # type: ignore[arg-type]
        assert everything(store) == before
        with pytest.raises(NoSuchGame):
            store.act("nowhere", 0, {"seat": 0, "type": "pass"}, 1)

    def test_of_fifty_simultaneous_actions_for_one_version_one_wins(
        self, settings: Settings, open_store: OpenStore
    ):
        stores = [open_store(settings) for _ in range(50)]
        id = stores[0].create(game_where(0, "human", "human")).id
        action = draw(stores[0], id)
        start = threading.Barrier(50)

        def act(store: Store) -> str:
            start.wait()
            try:
                return f"won {store.act(id, 0, action, 1).version}"
            except StaleVersion as stale:
                return f"lost to {stale.current}"

        with ThreadPoolExecutor(50) as threads:
            said = list(threads.map(act, stores))
        assert sorted(said) == ["lost to 2"] * 49 + ["won 2"]
        assert len(stores[0].log(id)) == 1
        assert stores[0].version(id) == 2

    def test_a_game_imported_with_its_actions_has_their_log(self, store: Store):
        game = played_out(Game.new("competitive", 3, seed=8), random.Random(8))
        created = store.create(Game.from_record(game.record()), deal="record", replay=True)
        assert created.tokens == {}
        assert created.version == 1 + len(game.actions)
        log = store.log(created.id, limit=1000)
        assert [entry.action for entry in log] == game.actions
        again = Game.from_record({**game.record(), "actions": [], "result": None})
        assert [entry.outcome for entry in log] == [again.apply(entry.action) for entry in log]

    def test_a_game_given_up_elsewhere_is_over_here_too(self, store: Store):
        game = Game.new("competitive", 2, seed=8)
        game.apply(game.legal_actions()[0])
        game.abandon()
        created = store.create(Game.from_record(game.record()), public=True, deal="record")
        stored = store.load(created.id)
        assert (created.tokens, stored.game.over, stored.game.result) == ({}, True, None)
        assert stored.game.record() == game.record()
        assert len(store.log(created.id)) == 1
        assert store.list_public(status="over")[0][0].id == created.id

    def test_a_replay_is_only_looked_at(self, store: Store):
        id = store.create(game_where(0, "greedy", "human", "open"), deal="record", replay=True).id
        for attempt in (
            lambda: store.act(id, 0, draw(store, id), 1),
            lambda: store.join(id, 2, "Mai"),
            lambda: store.leave(id, 1, "greedy"),
        ):
            with pytest.raises(ReadOnly):
                attempt()
        assert store.client.zcard("sb:due") == 0
        assert store.version(id) == 1


class TestSendingTwice:
    def test_the_same_key_and_request_get_the_same_answer_and_act_once(self, store: Store):
        id = store.create(game_where(0, "human", "human")).id
        action = draw(store, id)
        first = store.act(id, 0, action, 1, key="k1", body_hash="b1")
        store.act(id, 0, draw(store, id), 2)
        before = everything(store)
        again = store.act(id, 0, action, 1, key="k1", body_hash="b1")
        assert again == replace(first, repeated=True)
        assert everything(store) == before

    def test_the_same_key_with_another_request_is_refused(self, store: Store):
        id = store.create(game_where(0, "human", "human")).id
        store.act(id, 0, draw(store, id), 1, key="k1", body_hash="b1")
        before = everything(store)
        with pytest.raises(KeyReused):
            store.act(id, 0, draw(store, id, 3), 2, key="k1", body_hash="b2")
        assert everything(store) == before

    def test_without_a_digest_of_the_request_action_and_version_are_compared(self, store: Store):
        id = store.create(game_where(0, "human", "human")).id
        action = draw(store, id, 2)
        store.act(id, 0, action, 1, key="k1")
        assert store.act(id, 0, dict(reversed(action.items())), 1, key="k1").repeated
        for other, version in ((draw(store, id, 3), 1), (action, 2)):
            with pytest.raises(KeyReused):
                store.act(id, 0, other, version, key="k1")

    def test_keys_are_each_seats_own(self, store: Store):
        id = store.create(game_where(0, "human", "human")).id
        for version in (1, 2):
            store.act(id, 0, draw(store, id), version, key=f"k{version}")
        assert not store.act(id, 1, draw(store, id), 3, key="k1").repeated

    def test_a_refused_action_leaves_its_key_unused(self, store: Store):
        id = store.create(game_where(0, "human", "human")).id
        with pytest.raises(IllegalAction):
            store.act(id, 0, {"seat": 0, "type": "pass"}, 1, key="k1")
        assert not store.act(id, 0, draw(store, id), 1, key="k1").repeated

    def test_the_same_key_in_parallel_has_one_effect_and_one_answer(
        self, settings: Settings, open_store: OpenStore
    ):
        stores = [open_store(settings) for _ in range(20)]
        id = stores[0].create(game_where(0, "human", "human")).id
        action = draw(stores[0], id)
        start = threading.Barrier(20)

        def act(store: Store) -> Any:
            start.wait()
            return store.act(id, 0, action, 1, key="k", body_hash="b")

        with ThreadPoolExecutor(20) as threads:
            answers = list(threads.map(act, stores))
        assert sum(not answer.repeated for answer in answers) == 1
        assert len({(answer.version, answer.index, str(answer.outcome)) for answer in answers}) == 1
        assert len(stores[0].log(id)) == 1

    def test_a_command_whose_reply_was_lost_is_applied_once(self, lossy: "LossyStore"):
        store = lossy.store
        id = store.create(game_where(0, "human", "open")).id
        lossy.lose_next_reply()
        assert store.act(id, 0, draw(store, id), 1).version == 2
        lossy.lose_next_reply()
        token, version = store.join(id, 1, "Mai")
        assert version == 3
        assert store.seat_of(id, token) == 1
        lossy.lose_next_reply()
        assert store.leave(id, 1, "greedy") == 4
        assert lossy.lost == 3
        assert len(store.log(id)) == 1
        assert store.version(id) == 4

    def test_a_commit_sent_again_after_others_is_still_known(self, store: Store):
        id = store.create(game_where(0, "human", "human")).id
        game = store.read(id).game
        one = store._change(id, 1, 2, game, commit="c0ffee")
        for version in range(2, 12):
            store._change(id, version, version + 1, game)
        assert store._change(id, 1, 2, game, commit="c0ffee") == one == ("applied", 2, -1)
        assert store.version(id) == 12


class TestSeats:
    def test_whoever_joins_an_open_seat_gets_its_token(self, store: Store):
        id = store.create(game_where(1, "human", "open")).id
        token, version = store.join(id, 1, "Mai")
        assert version == 2
        assert store.read(id).game.seats[1] == {"name": "Mai", "player": "human"}
        assert store.seat_of(id, token) == 1
        assert store.act(id, 1, draw(store, id), 2).version == 3

    @pytest.mark.parametrize("name", ["Nguyễn Thị Mai", "👩‍👩‍👧", "\ud83d", "a\0b", '"\\', "n" * 30])
    def test_any_name_comes_back_as_it_was(self, store: Store, name: str):
        id = store.create(game_where(0, "human", "open")).id
        store.join(id, 1, name)
        assert store.read(id).game.seats[1]["name"] == name

    def test_of_many_who_join_at_once_one_gets_the_seat(self, settings: Settings, open_store: OpenStore):
        stores = [open_store(settings) for _ in range(20)]
        id = stores[0].create(game_where(0, "human", "open")).id
        start = threading.Barrier(20)

        def join(store: Store) -> str | None:
            start.wait()
            try:
                return store.join(id, 1, "Mai")[0]
            except SeatTaken:
                return None

        with ThreadPoolExecutor(20) as threads:
            tokens = [token for token in threads.map(join, stores) if token]
        assert len(tokens) == 1
        assert stores[0].seat_of(id, tokens[0]) == 1
        assert stores[0].version(id) == 2
        assert stores[0].client.hlen(f"sb:game:{id}:tokens") == 2

    def test_leaving_hands_the_seat_to_an_ai_and_revokes_the_token(self, store: Store):
        created = store.create(game_where(0, "human", "human"))
        assert store.leave(created.id, 0, "greedy") == 2
        assert store.read(created.id).game.seats[0]["player"] == "greedy"
        with pytest.raises(BadToken):
            store.seat_of(created.id, created.tokens[0])
        assert store.seat_of(created.id, created.tokens[1]) == 1
        assert store.client.zscore("sb:due", created.id) is not None

    def test_joining_leaving_and_acting_at_once_each_happen_once_or_are_refused(
        self, settings: Settings, open_store: OpenStore
    ):
        stores = [open_store(settings) for _ in range(3)]
        for _ in range(10):
            id = stores[0].create(game_where(0, "human", "open", "human")).id
            action = draw(stores[0], id)
            start = threading.Barrier(3)

            def do(step: int, id: str = id, action: Any = action, start: threading.Barrier = start) -> int:
                start.wait()
                try:
                    if step == 0:
                        stores[0].act(id, 0, action, 1)
                    elif step == 1:
                        stores[1].join(id, 1, "Mai")
                    else:
                        stores[2].leave(id, 2, "greedy")
                except StaleVersion:
                    return 0
                return 1

            with ThreadPoolExecutor(3) as threads:
                done = list(threads.map(do, range(3)))
            assert done[1:] == [1, 1]
            stored = stores[0].read(id)
            assert stored.version == 1 + sum(done)
            assert [seat["player"] for seat in stored.game.seats] == ["human", "human", "greedy"]
            assert stored.game.actions_played == done[0] == len(stores[0].log(id))

    def test_a_seat_that_cannot_change_hands_says_why_and_nothing_changes(self, store: Store):
        id = store.create(game_where(0, "human", "greedy", "open")).id
        over = store.create(played_out(game_where(0, "human", "open"), random.Random(1))).id
        before = everything(store)
        for attempt, refusal in (
            (lambda: store.join(id, 0, "Mai"), SeatTaken),
            (lambda: store.join(id, 1, "Mai"), SeatTaken),
            (lambda: store.join(id, 3, "Mai"), NoSuchSeat),
            (lambda: store.join(id, -1, "Mai"), NoSuchSeat),
            (lambda: store.leave(id, 1, "greedy"), SeatNotHeld),
            (lambda: store.leave(id, 2, "greedy"), SeatNotHeld),
            (lambda: store.leave(id, 3, "greedy"), NoSuchSeat),
            (lambda: store.leave(id, 0, "human"), UnknownPlayer),
            (lambda: store.join(over, 1, "Mai"), GameOver),
            (lambda: store.leave(over, 0, "greedy"), GameOver),
            (lambda: store.join("nowhere", 0, "Mai"), NoSuchGame),
            (lambda: store.leave("nowhere", 0, "greedy"), NoSuchGame),
        ):
            with pytest.raises(refusal):
                attempt()
        assert everything(store) == before


class TestLists:
    def test_public_games_are_listed_page_by_page_the_newest_first(self, store: Store):
        made = [store.create(game_where(0, "human", "human"), public=True).id for _ in range(7)]
        store.create(game_where(0, "human", "human"))
        seen: list[str] = []
        cursor = None
        while True:
            page, cursor = store.list_public(cursor, 3)
            seen += [summary.id for summary in page]
            if cursor is None:
                break
            store.create(game_where(0, "human", "human"), public=True)  # newer games shift nothing
        assert seen == made[::-1]

    def test_a_line_of_the_list_tells_how_the_game_stands(self, store: Store):
        id = store.create(game_where(1, "greedy", "human"), public=True, deal="seed").id
        store.act(id, 1, draw(store, id), 1)
        [line], _ = store.list_public()
        stored = store.read(id)
        assert (line.id, line.mode, line.deal) == (id, "competitive", "seed")
        assert line.seats == stored.game.seats
        assert (line.seat_to_act, line.over, line.result, line.actions_played) == (1, False, None, 1)
        assert (line.created_at, line.updated_at) == (stored.created_at, stored.updated_at)

    def test_the_list_can_be_of_open_running_or_finished_games(self, store: Store):
        waiting = store.create(game_where(0, "human", "open"), public=True).id
        going = store.create(game_where(0, "human", "human"), public=True).id
        ended = store.create(played_out(game_where(0, "human", "human"), random.Random(2)), public=True).id
        assert [
            [line.id for line in store.list_public(status=status)[0]]
            for status in ("open", "running", "over")
        ] == [
            [waiting],
            [going],
            [ended],
        ]
        store.join(waiting, 1, "Mai")
        assert [line.id for line in store.list_public(status="running")[0]] == [going, waiting]
        assert store.list_public(status="open") == ([], None)
        [line], _ = store.list_public(status="over")
        assert line.over
        assert line.seat_to_act is None
        assert line.result == store.read(ended).game.result

    @pytest.mark.parametrize("cursor", ["x", "-1", "1.5", "+inf", "(3"])
    def test_a_cursor_that_was_never_given_is_refused(self, store: Store, cursor: str):
        with pytest.raises(ValueError, match="cursor"):
            store.list_public(cursor)

    def test_games_that_have_expired_leave_the_lists(self, store: Store):
        made = [store.create(game_where(0, "human", "human"), public=True).id for _ in range(5)]
        for id in made[1:4]:
            store.client.delete(f"sb:game:{id}")
        assert [line.id for line in store.list_public()[0]] == [made[4], made[0]]
        assert store.forget_expired() == 3
        assert store.client.zcard("sb:public") == store.client.zcard("sb:public:running") == 2


class TestKeeping:
    def test_a_game_that_has_expired_makes_room_for_another(self, store: Store, open_store: OpenStore):
        full = open_store(replace(store.settings, max_games=2))
        first = full.create(game_where(0, "human", "open")).id
        second = full.create(game_where(0, "human", "human")).id
        with pytest.raises(TooManyGames):
            full.create(game_where(0, "human", "human"))
        assert {key.decode().split(":")[2] for key in store.client.keys("sb:game:*")} == {first, second}
        store.client.zadd("sb:games:open", {first: 1})  # as if its time had passed
        full.create(game_where(0, "human", "human"))
        full.forget_expired()
        assert store.client.zcard("sb:games:open") == 0
        assert store.client.zcard("sb:games:running") == 2

    def test_a_game_is_counted_once_in_the_state_that_it_is_in(self, store: Store):
        def states() -> list[int]:
            return [store.client.zcard(f"sb:games:{status}") for status in ("open", "running", "over")]

        id = store.create(game_where(0, "human", "open")).id
        assert states() == [1, 0, 0]
        store.join(id, 1, "Mai")
        assert states() == [0, 1, 0]
        store.act(id, 0, draw(store, id), 2)
        assert states() == [0, 1, 0]
        store.create(Game.new("competitive", seats("human", "human")), replay=True)
        assert states() == [0, 1, 1]

    def test_all_keys_of_a_game_expire_together_and_later_with_every_change(self, store: Store):
        created = store.create(game_where(0, "human", "human"))
        store.act(created.id, 0, draw(store, created.id), 1, key="k")
        keys = store.client.keys(f"sb:game:{created.id}*")
        assert len(keys) == 5
        for key in keys:
            store.client.expire(key, 1000)
        store.act(created.id, 0, draw(store, created.id), 2)
        assert {store.client.ttl(key) for key in keys} <= {30 * DAY, 30 * DAY - 1}

    def test_a_finished_game_is_kept_longer(self, store: Store):
        id = store.create(played_out(game_where(0, "human", "human"), random.Random(3))).id
        assert store.client.ttl(f"sb:game:{id}") > 364 * DAY

    def test_games_are_kept_as_long_as_the_settings_say(
        self, settings: Settings, open_store: Callable[[Settings], Store]
    ):
        store = open_store(replace(settings, game_idle_days=2, game_kept_days=3))
        running = store.create(game_where(0, "human", "human")).id
        finished = store.create(played_out(game_where(0, "human", "human"), random.Random(3))).id
        assert {store.client.ttl(key) for key in store.client.keys(f"sb:game:{running}*")} <= {
            2 * DAY,
            2 * DAY - 1,
        }
        assert store.client.ttl(f"sb:game:{finished}") in (3 * DAY, 3 * DAY - 1)

    def test_a_game_whose_time_has_passed_is_gone_with_all_that_belongs_to_it(
        self, settings: Settings, open_store: Callable[[Settings], Store]
    ):
        store = open_store(replace(settings, max_games=2))
        stays = store.create(game_where(0, "human", "human"), public=True)
        passes = store.create(game_where(0, "greedy", "human"), public=True)
        for key in store.client.keys(f"sb:game:{passes.id}*"):
            store.client.pexpire(key, 1)
        store.client.zadd("sb:games:running", {passes.id: 1})
        until(lambda: not store.client.keys(f"sb:game:{passes.id}*"))
        for look in (store.read, store.version, store.log, lambda id: store.seat_of(id, passes.tokens[1])):
            with pytest.raises(NoSuchGame):
                look(passes.id)
        assert [line.id for line in store.list_public()[0]] == [stays.id]
        assert store.forget_expired() == 1
        store.client.zadd("sb:due", {passes.id: 1})
        assert store.overdue() == []
        assert not [key for key in store.client.keys("sb:*") if passes.id.encode() in key]
        for index in ("sb:due", "sb:public", "sb:public:running", "sb:games:running"):
            assert store.client.zscore(index, passes.id) is None
        store.create(game_where(0, "human", "human"))

    def test_a_game_on_a_store_that_is_gone_is_unreachable_not_absent(self, tmp_path: Path):
        settings = Settings(data_dir=tmp_path)
        with EmbeddedStore(settings) as server, connect(settings) as client:
            store = Store(client, settings)
            id = store.create(game_where(0, "human", "human")).id
            server.stop()
            for attempt in (
                lambda: store.read(id),
                lambda: store.version(id),
                lambda: store.ping(),
                store.list_public,
            ):
                with pytest.raises(StoreUnreachable):
                    attempt()

    def test_a_store_that_takes_no_changes_says_so_and_still_answers_reads(self, tmp_path: Path):
        settings = Settings(data_dir=tmp_path)
        with EmbeddedStore(settings), connect(settings) as client:
            store = Store(client, settings)
            id = store.create(game_where(0, "human", "human")).id
            client.config_set("maxmemory", 1)
            with pytest.raises(StoreUnreachable, match="no changes"):
                store.act(id, 0, draw(store, id), 1)
            assert store.version(id) == 1
            client.config_set("maxmemory", 0)
            assert store.act(id, 0, draw(store, id), 1).version == 2


class LossyStore:
    """A store reached through a line that can lose the reply to a commit."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.target = settings.redis_url.removeprefix("unix://").partition("?")[0]
        self.lost = 0
        self._lose = threading.Event()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / "line"))
        self._listener.listen()
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()
        database = settings.redis_url.partition("?")[2]
        settings = replace(settings, redis_url=f"unix://{folder / 'line'}?{database}")
        self.store = Store(connect(settings), settings)

    def lose_next_reply(self) -> None:
        self._lose.set()

    def close(self) -> None:
        self.store.client.close()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._carry, args=(near,))
            self._threads.append(thread)
            thread.start()

    def _carry(self, near: socket.socket) -> None:
        with near, socket.socket(socket.AF_UNIX) as far:
            far.connect(self.target)
            while asked := near.recv(1 << 20):
                far.sendall(asked)
                answer = far.recv(1 << 20)
                if b"EVALSHA" in asked and b"applied" in answer and self._lose.is_set():
                    self._lose.clear()
                    self.lost += 1
                    return
                near.sendall(answer)


@pytest.fixture
def lossy(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LossyStore]:
    line = LossyStore(settings, tmp_path_factory.mktemp("l"))
    yield line
    line.close()


def test_more_readers_than_connections_wait_for_a_store_that_is_held_up(store: Store):
    id = store.create(game_where(0, "human", "human")).id
    with ThreadPoolExecutor(3 * CONNECTIONS) as readers:
        store.client.execute_command("CLIENT", "PAUSE", 300, "ALL")
        assert list(readers.map(store.version, [id] * (3 * CONNECTIONS))) == [1] * (3 * CONNECTIONS)
