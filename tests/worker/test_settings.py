"""Configuration: the environment, its defaults, and clear sentences for what cannot be used."""

from pathlib import Path

import pytest

from worker import Settings, SettingsError


def test_without_any_variable_the_game_is_local_and_keeps_its_data_in_the_home_folder():
    settings = Settings.from_env({})
    assert (settings.host, settings.port, settings.redis_url) == ("127.0.0.1", 8000, "")
    assert settings.data_dir == Path.home() / ".local/share/stem-branch"
    assert settings.url == "http://127.0.0.1:8000"


def test_the_data_folder_honours_xdg_but_not_a_relative_path():
    assert Settings.from_env({"XDG_DATA_HOME": "/srv/data"}).data_dir == Path("/srv/data/stem-branch")
    assert Settings.from_env({"XDG_DATA_HOME": "data"}).data_dir == Path.home() / ".local/share/stem-branch"


def test_an_empty_variable_counts_as_not_set():
    assert Settings.from_env({"PORT": "", "REDIS_URL": " "}) == Settings.from_env({})


def test_a_child_process_gets_the_same_settings():
    settings = Settings.from_env(
        {"PORT": "9000", "AI_MARGIN": "1.5", "DATA_DIR": "/tmp/x y", "BROWSER": "none"}
    )
    assert Settings.from_env(settings.to_env()) == settings


@pytest.mark.parametrize(
    ("host", "address"),
    [("0.0.0.0", "http://127.0.0.1:8000"), ("::1", "http://[::1]:8000"), ("box", "http://box:8000")],
)
def test_the_address_shown_can_be_opened(host: str, address: str):
    assert Settings.from_env({"HOST": host}).url == address
    assert Settings.from_env({"HOST": host, "PUBLIC_URL": "https://g.example/"}).url == "https://g.example"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "eighty"),
        ("PORT", "70000"),
        ("PORT", "-1"),
        ("HOST", "http://localhost"),
        ("LOG_LEVEL", "loud"),
        ("PUBLIC_URL", "games.example.org"),
        ("MOVE_WORKERS", "0"),
        ("AI_MARGIN", "soon"),
        ("AI_MARGIN", "nan"),
        ("GAME_IDLE_DAYS", "0"),
        ("STORE_FSYNC", "never"),
        ("DATA_DIR", __file__),
        ("TRUSTED_PROXIES", "some"),
        ("MAX_GAMES", "0"),
        ("LIMIT_GAMES", "often"),
        ("LIMIT_HINTS", "60"),
        ("CORS_ORIGINS", "*"),
        ("CORS_ORIGINS", "games.example.org"),
        ("CORS_ORIGINS", "https://a.example,https://b.example/page"),
    ],
)
def test_a_bad_value_is_answered_by_a_sentence_that_names_the_variable_and_the_value(name: str, value: str):
    with pytest.raises(SettingsError) as refusal:
        Settings.from_env({name: value})
    assert name in str(refusal.value)
    assert value in str(refusal.value)


@pytest.mark.parametrize(
    "secret", ["change-me-change-me", "Your_Token_Goes_Here", "aaaaaaaaaaaaaaaaaaaa", "example-token-123"]
)
def test_a_secret_out_of_an_example_is_refused_and_not_repeated(secret: str):
    for variables in ({"ADMIN_TOKEN": secret}, {"REDIS_URL": f"redis://:{secret}@store:6379/0"}):
        with pytest.raises(SettingsError) as refusal:
            Settings.from_env(variables)
        assert next(iter(variables)) in str(refusal.value)
        assert secret not in str(refusal.value)


def test_limits_and_origins_are_read():
    settings = Settings.from_env(
        {
            "LIMIT_GAMES": "OFF",
            "LIMIT_HINTS": "1/second; 5/hour",
            "CORS_ORIGINS": "https://A.example/, http://b:81",
        }
    )
    assert (settings.limit_games, settings.limit_hints) == ("off", "1/second; 5/hour")
    assert settings.allowed_origins == {"https://a.example", "http://b:81"}


@pytest.mark.parametrize(
    "url", ["localhost:6379", "http://u:pa55@h", "redis://:pa55@", "redis://u:pa55@h:port", "unix://"]
)
def test_a_bad_redis_url_is_not_repeated_since_it_may_hold_a_password(url: str):
    with pytest.raises(SettingsError) as refusal:
        Settings.from_env({"REDIS_URL": url})
    assert "REDIS_URL" in str(refusal.value)
    assert "pa55" not in str(refusal.value)
