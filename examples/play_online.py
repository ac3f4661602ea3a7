"""Takes a seat by HTTP and plays it to the end: python play_online.py http://127.0.0.1:8000 GAME TOKEN"""

import random
import sys
from datetime import datetime
from email.utils import parsedate_to_datetime

import httpx


def play(server: str, game_id: str, token: str) -> dict:
    game_url = f"{server}/api/v1/games/{game_id}"
    etag = ""
    with httpx.Client(headers={"Authorization": f"Bearer {token}"}, timeout=30) as http:
        while True:
            # Answers at once if the game has changed since `etag`, else after at most 20 seconds.
            answer = http.get(game_url, params={"wait": 20}, headers={"If-None-Match": etag})
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
            actions = http.get(f"{game_url}/legal-actions").raise_for_status().json()["actions"]
            body = {"expected_version": game["version"], "action": random.choice(actions)}
            http.post(f"{game_url}/actions", json=body).raise_for_status()


if __name__ == "__main__":
    print(play(*sys.argv[1:4]))
