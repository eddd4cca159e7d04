"""A simulated table with faults, examined by simulated hands."""

from captains_table.doctor.diagnosis.findings import Findings
from captains_table.doctor.diagnosis.guided_test import GuidedTest
from captains_table.doctor.diagnosis.simulated_table import SimulatedTable, buttons_of, chain_of
from captains_table.doctor.simulated_hands import lead_simulated
from captains_table.hardware.profiles.profile import Profile
from captains_table.storage.profile_files import load_profile


def examined(*faults: str, build: str | Profile = "pico-8x8") -> Findings:
    """Return what the guided test finds out about a build with these faults."""
    profile = load_profile(build) if isinstance(build, str) else build
    test = GuidedTest(profile.shape, buttons_of(profile), chain_of(profile), profile.corrections)
    lead_simulated(test, SimulatedTable(profile, faults))
    return test.findings()


def lines_of(*faults: str, build: str | Profile = "pico-8x8") -> list[str]:
    """Return what is said to be wrong of a build with these faults."""
    return examined(*faults, build=build).lines()
