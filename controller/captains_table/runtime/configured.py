"""What a configuration asks for: its build, settings, sound and light, and the keys to its page."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from captains_table.devices.build import BuildOptions, Devices
from captains_table.devices.dimming import Night
from captains_table.devices.sound.speech import Voice
from captains_table.hardware.kinds import PICO
from captains_table.hardware.profiles.profile import Profile
from captains_table.runtime.board_source import BoardSource
from captains_table.runtime.config import Config
from captains_table.runtime.session import Session
from captains_table.runtime.simulated_source import SimulatedSource
from captains_table.simulation.simulated_board import SimulatedBoard
from captains_table.storage.key_files import MASTER_TOKEN, TOKEN, read_token
from captains_table.storage.profile_files import load_profile
from captains_table.table.model.settings import Settings
from captains_table.web.security import is_loopback


@dataclass(frozen=True, slots=True)
class Keys:
    """What opens the page to those who may do more than look.

    Attributes:
        token: the owner's; `None`: whoever reaches the page is the owner.
        master: the game master's; `None`: there is no page of his.
    """

    token: str | None = None
    master: str | None = None


def keys_of(config: Config) -> Keys:
    """Return what opens the page, made where it was never asked for; raises TokenUnusable."""
    return Keys(
        None if is_loopback(config.host) else read_token(config.state_dir),
        read_token(config.state_dir, MASTER_TOKEN) if config.master else None,
    )


def profile_of(config: Config) -> Profile:
    """Return the build of a configuration; a Pico without a profile has its glass on the page. Raises BadProfile."""
    profile = load_profile(config.profile, config.state_dir)
    if config.board == PICO.key and profile.board.is_simulated:
        vendor, product = (int(number, 16) for number in config.usb.split(":"))
        return replace(profile, board=PICO, usb=(vendor, product))
    return profile


def source_of(config: Config, session: Session) -> BoardSource:
    """Return where events come from without hardware: a simulated board, or none but the pages."""
    return BoardSource() if config.board == "none" else SimulatedSource(session, SimulatedBoard())


def settings_for(config: Config, devices: Devices) -> Settings:
    """Return the settings; which buttons a real build has is its profile's to say, and no board has no switches."""
    if config.board == "none":
        return replace(config.settings, switches="none")
    profile = devices.profile
    settings = config.settings if profile.board.is_simulated else replace(config.settings, back="menu")
    return settings if profile.matrix is None else replace(settings, buttons=profile.buttons.kind)


def night_of(config: Config) -> Night:
    """Return when the table is dimmed."""
    return Night(config.dim_from, config.dim_until, config.dim_to)


def build_options(config: Config, on_change: Callable[[], None]) -> BuildOptions:
    """Return how the devices are built; `on_change` is called when something of them changed."""
    return BuildOptions(
        config.device, config.sound, voice_of(config), on_change, config.settings.debounce_ms, patient=True
    )


def voice_of(config: Config) -> Voice:
    """Return how the table speaks, if it does."""
    return Voice(config.speech, config.voice, config.rate)


def changed_files(running: Config, read: Config, profile: Profile, keys: Keys) -> Iterable[str]:
    """Name the files the table runs by, and does not read again, that changed: its profile's, and its tokens'.

    Args:
        running: what the table runs by.
        read: what its file says now.
        profile: the build it runs by.
        keys: the tokens it goes by.

    Raises:
        BadProfile, TokenUnusable: one cannot be used.
    """
    found = profile_of(read)
    is_the_same = (read.profile, read.board, read.usb, read.state_dir) == (
        running.profile,
        running.board,
        running.usb,
        running.state_dir,
    )
    if is_the_same and found != profile:
        yield f"The profile {profile.name}"
    for name, token in ((TOKEN, keys.token), (MASTER_TOKEN, keys.master)):
        if token is not None and read_token(running.state_dir, name) != token:
            yield f"The token in {running.state_dir / name}"
