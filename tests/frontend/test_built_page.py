"""What is built and generated: the API's types, the bundle's size, the refusals' wordings."""

import gzip
import json
import re
import subprocess
from pathlib import Path

from api import openapi_document
from api.messages import MESSAGES

FRONTEND = Path(__file__).resolve().parents[2] / "frontend"
MOST_JAVASCRIPT = 90_000


def test_the_generated_api_types_are_up_to_date(tmp_path: Path) -> None:
    document, types = tmp_path / "openapi.json", tmp_path / "schema.d.ts"
    document.write_text(json.dumps(openapi_document()), encoding="utf-8")
    command = [FRONTEND / "node_modules/.bin/openapi-typescript", document, "-o", types]
    subprocess.run(command, check=True, capture_output=True, cwd=FRONTEND)
    kept = (FRONTEND / "src/api/schema.d.ts").read_text(encoding="utf-8")
    assert types.read_text(encoding="utf-8") == kept, "run `npm run api-types` in frontend/"


def test_the_javascript_is_small() -> None:
    scripts = list((FRONTEND / "dist").rglob("*.js"))
    assert scripts
    assert sum(len(gzip.compress(script.read_bytes())) for script in scripts) <= MOST_JAVASCRIPT


def test_the_page_asks_nobody_but_its_own_server() -> None:
    for file in (FRONTEND / "dist").rglob("*"):
        if file.suffix in {".html", ".css"}:
            assert not re.search(r"(src|href)=\"https?:|url\(['\"]?https?:", file.read_text(encoding="utf-8"))


def test_every_refusal_of_the_api_has_a_wording() -> None:
    catalogue = (FRONTEND / "src/i18n/en.ts").read_text(encoding="utf-8")
    missing = [code for code in MESSAGES if f"'error.{code}'" not in catalogue]
    assert missing == []
