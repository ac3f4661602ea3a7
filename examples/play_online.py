"""Takes a seat by HTTP and plays it to the end: python play_online.py http://127.0.0.1:8000 GAME TOKEN"""

import random
import secrets
import sys
import time
from datetime import datetime
from email.utils import parsedate_to_datetime

import httpx


def send(http: httpx.Client, method: str, url: str, **more) -> httpx.Response:
    """Asks until there is an answer: a server may be started anew in the middle of a game."""
    while True:
        try:
            answer = http.request(method, url, **more)
            if answer.status_code not in (429, 503):
                return answer
        except httpx.TransportError as problem:
            print("No answer:", problem)
        time.sleep(1)


def play(server: str, game_id: str, token: str) -> dict:
    game_url = f"{server}/api/v1/games/{game_id}"
    etag = ""
    with httpx.Client(headers={"Authorization": f"Bearer {token}"}, timeout=30) as http:
        while True:
            # Answers at once if the game has changed since `etag`, else after at most 20 seconds.
            answer = send(http, "GET", game_url, params={"wait": 20}, headers={"If-None-Match": etag})
            if answer.status_code == 304:
                continue
            game, etag = answer.raise_for_status().json(), answer.headers["ETag"]
            if game["over"]:
                return game["result"]
            if game["seat_to_act"] != game["viewer"]:
                continue
            if game["absent_at"]:  # else there is no hurry
                now = parsedate_to_datetime(answer.headers["Date"])
                print("Seconds left:", (datetime.fromisoformat(game["absent_at"]) - now).total_seconds())
            actions = send(http, "GET", f"{game_url}/legal-actions").raise_for_status().json()["actions"]
            body = {"expected_version": game["version"], "action": random.choice(actions)}
            # With a key of its own, an action that is sent again is not played twice.
            key = {"Idempotency-Key": secrets.token_hex(16)}
            answer = send(http, "POST", f"{game_url}/actions", json=body, headers=key)
            if answer.status_code != 409:  # the game has changed meanwhile, and is read again
                answer.raise_for_status()


if __name__ == "__main__":
    print(play(*sys.argv[1:4]))
