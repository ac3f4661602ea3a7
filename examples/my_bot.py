"""A bot for ladders: the cheapest summon if there is one, else the first draw.

stem-branch ladder --players greedy,beginner,examples/my_bot.py:MyBot --games 60 --out my-ladder
"""

from ai.bot import Bot, Json


class MyBot(Bot):
    def choose(self, view: Json, actions: list[Json]) -> Json:
        summons = [action for action in actions if action["type"] == "summon"]
        if not summons:
            return actions[0]
        return min(summons, key=lambda action: len(action["pay"]["cards"]) + action["pay"]["tokens"])
