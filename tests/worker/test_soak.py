"""`make soak`: a short run of it, and that it would notice what it is there to notice."""

import contextlib
import json
import socket
import threading
from collections.abc import Iterator

import pytest

from bench.soak.faults import CALM, STORM, Fault, schedule
from bench.soak.proxy import Proxy
from bench.soak.report import BEGIN, DOCUMENT, END, RESULTS, table
from bench.soak.run import Soak
from bench.soak.stack import API, STORE, SWEEPER, WORKER
from bench.soak.tables import Acknowledged, Table
from bench.soak.verdict import calm_wait, game_faults, table_faults, waits_for_ais, whole_log
from tests.worker.conftest import game_where
from worker import Store

DRAW = {"seat": 0, "type": "draw", "source": "deck"}


@pytest.mark.serial
def test_under_a_few_seconds_of_faults_nothing_is_lost():
    names = (
        f"kill -9: {STORE}", "lose answers: API", f"pause: {WORKER}", "cut: store", "lose answers: store",
        f"kill -9: {WORKER}", f"kill -9: {API}", f"disk full, then kill -9: {STORE}", f"kill -9: {SWEEPER}",
    )  # fmt: skip
    plan = [Fault(0.8 * place, name, 0.7, 0.5) for place, name in enumerate(names, 1)]
    soak = Soak(seconds=8, games=10, seed=1, plan=plan)
    figures = soak.run()
    assert soak.faults == []
    assert figures["acknowledged"] > 0
    assert f"kill -9: {STORE}" in figures["made"]
    assert soak.verdict().startswith("Nothing lost")


def test_the_document_tells_the_last_run():
    told = DOCUMENT.read_text().partition(BEGIN)[2].partition(END)[0]
    figures = json.loads(RESULTS.read_text())
    assert told == table(figures)
    assert figures["lost"] == figures["told"] == 0


def test_a_seed_decides_the_faults_and_there_are_calms_between_storms():
    planned = schedule(7, 120)
    assert planned == schedule(7, 120) != schedule(8, 120)
    assert all(fault.at % (STORM + CALM) < STORM for fault in planned)
    assert len({fault.name for fault in planned}) > 10


class TestVerdict:
    @pytest.fixture
    def table(self, store: Store) -> Table:
        created = store.create(game_where(0, "human", "greedy"))
        table = Table(created.id, created.tokens)
        for version in (1, 2):
            seen = store.read(table.id)
            [draw] = [action for action in seen.game.legal_actions() if action == DRAW]
            store.act(table.id, 0, draw, version)
            table.played.append(Acknowledged(version + 1, 0, draw))
        return table

    def test_a_table_whose_actions_all_stand_is_well(self, store: Store, table: Table):
        assert table_faults(store, table) == []

    def test_an_acknowledged_action_that_is_lost_is_noticed(self, store: Store, table: Table):
        store.client.rpop(f"sb:game:{table.id}:log")
        assert "is lost" in table_faults(store, table)[0]
        assert "the log and the record differ" not in game_faults(store, table.id)[0]

    def test_an_action_that_is_another_than_the_acknowledged_is_noticed(self, store: Store, table: Table):
        table.played[0].action = {**DRAW, "source": 1}
        assert "is lost" in table_faults(store, table)[0]

    def test_an_action_that_nobody_was_told_of_is_noticed(self, store: Store, table: Table):
        del table.played[1]
        assert "nobody was told" in table_faults(store, table)[0]

    def test_an_action_taken_back_that_still_stands_is_noticed(self, store: Store, table: Table):
        table.played[1].undone = True
        assert "taken back" in table_faults(store, table)[0]

    def test_a_state_that_its_record_does_not_give_is_noticed(self, store: Store, table: Table):
        other = store.create(game_where(0, "human", "greedy")).id
        state = store.client.hget(f"sb:game:{other}", "state")
        store.client.hset(f"sb:game:{table.id}", mapping={"state": state, "played": 0})
        assert any("replay" in fault for fault in game_faults(store, table.id))

    def test_a_game_that_waits_for_an_ai_is_noticed_and_how_long_it_waited(self, store: Store, table: Table):
        assert game_faults(store, table.id) == [f"{table.id}: it still waits for an AI"]
        store.act(table.id, 1, {**DRAW, "seat": 1}, 3)
        [(since, until)] = waits_for_ais(store.read(table.id), whole_log(store, table.id))
        assert since <= until

    def test_a_wait_is_counted_while_nothing_was_amiss(self):
        assert calm_wait((0, 30), []) == 30
        assert calm_wait((0, 30), [(12, 14), (5, 13)]) == 16
        assert calm_wait((10, 30), [(0, 29), (40, 50)]) == 1


class TestProxy:
    @pytest.fixture
    def proxy(self) -> Iterator[Proxy]:
        """Before a server that answers whatever it hears with the same."""
        with socket.create_server(("127.0.0.1", 0)) as server:

            def serve() -> None:
                while True:
                    try:
                        connection, _ = server.accept()
                    except OSError:
                        return
                    with connection, contextlib.suppress(OSError):
                        while data := connection.recv(100):
                            self.heard.append(data)
                            connection.sendall(data)

            self.heard: list[bytes] = []
            thread = threading.Thread(target=serve)
            thread.start()
            proxy = Proxy(server.getsockname()[1])
            yield proxy
            proxy.close()
            server.shutdown(socket.SHUT_RDWR)
            thread.join()

    def asked(self, proxy: Proxy, seconds: float = 10) -> bytes:
        with socket.create_connection(("127.0.0.1", proxy.port), seconds) as connection:
            connection.sendall(b"word")
            return connection.recv(100)

    def test_a_good_one_passes_everything_on(self, proxy: Proxy):
        assert self.asked(proxy) == b"word"

    def test_one_that_loses_answers_passes_on_what_was_asked(self, proxy: Proxy):
        proxy.mood = "lose answers"
        answered = 0
        with contextlib.suppress(ConnectionResetError):
            while self.asked(proxy):
                answered += 1
        assert len(self.heard) == answered + 1

    def test_one_that_refuses_passes_nothing_on(self, proxy: Proxy):
        proxy.mood = "refuse"
        with contextlib.suppress(ConnectionError):
            assert self.asked(proxy) == b""
        assert self.heard == []

    def test_one_that_stalls_passes_nothing_until_it_is_well(self, proxy: Proxy):
        proxy.mood = "stall"
        with pytest.raises(TimeoutError):
            self.asked(proxy, 0.2)
        assert self.heard == []
        proxy.mood = "good"
        assert self.asked(proxy) == b"word"

    def test_cutting_resets_what_is_open(self, proxy: Proxy):
        with socket.create_connection(("127.0.0.1", proxy.port), 10) as connection:
            connection.sendall(b"word")
            assert connection.recv(100) == b"word"
            proxy.cut()
            with pytest.raises(ConnectionResetError):
                connection.recv(100)
