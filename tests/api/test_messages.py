"""Every code has its sentence."""

import ast
import re
from pathlib import Path

import api
import engine
from api.messages import MESSAGES, sentence

RAISED = (
    "BadSetup",
    "BadRecord",
    "MalformedAction",
    "IllegalAction",
    "GameError",
    "Refusal",
    "token_refusal",
)


def codes_raised_in(package) -> set[str]:
    """The codes given to the errors that a package raises, read from its source."""
    found = set()
    for file in Path(package.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in RAISED:
                texts = [
                    a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)
                ]
                found |= {text for text in texts if re.fullmatch("[a-z]+(-[a-z]+)+", text)}
    return found


def codes_passed_on_in_the_engine() -> set[str]:
    """Codes that reach an error through a function's argument: every text of a code's form."""
    found = set()
    for file in Path(engine.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                arguments = [a.value for a in node.args if isinstance(a, ast.Constant)]
                if any(re.fullmatch("R[0-9]+[a-z]?", str(value)) for value in arguments):
                    found |= {v for v in map(str, arguments) if re.fullmatch("[a-z]+(-[a-z]+)+", v)}
    return found


def test_every_code_of_the_engine_has_a_sentence():
    codes = codes_raised_in(engine) | codes_passed_on_in_the_engine()
    assert {"payment-amount", "card-not-in-hand", "withheld-record", "malformed-action", "bad-seed"} <= codes
    assert codes <= set(MESSAGES)


def test_every_code_of_the_api_has_a_sentence():
    codes = codes_raised_in(api)
    assert {"bad-json", "not-your-seat", "no-token"} <= codes
    assert codes <= set(MESSAGES)


def test_sentences_are_sentences():
    for code, text in MESSAGES.items():
        assert re.fullmatch(r"[A-Z`'].*[.]", text), code
        assert sentence(code, {})


def test_a_sentence_tells_its_facts():
    assert "version 8" in sentence("stale-version", {"current_version": 8})
