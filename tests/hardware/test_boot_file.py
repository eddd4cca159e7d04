"""What `captains-table boot` makes of the Pi's config.txt: what a build needs holds on every model, the rest stays."""

import pytest
from hypothesis import given, strategies as st

from captains_table.hardware.wiring.boot import BEGIN, END, boot_lines, with_boot_lines
from captains_table.storage.profile_files import load_profile, profile_names

I2C = "dtparam=i2c_arm=on,i2c_arm_baudrate=400000"
SHIPPED = """# For more options and information see
# http://rptl.io/configtxt
#dtparam=i2c_arm=on
#dtparam=spi=on
dtparam=audio=on
dtoverlay=vc4-kms-v3d

[cm4]
otg_mode=1

[all]
"""


def block(*lines: str) -> str:
    return "\n".join((BEGIN, "[all]", *lines, END, ""))


@pytest.mark.parametrize("build", profile_names())
def test_the_lines_of_a_build_come_last_and_hold_on_every_model(build: str) -> None:
    lines = boot_lines(load_profile(build))
    assert with_boot_lines(SHIPPED, lines) == SHIPPED + (block(*lines) if lines else "")


@pytest.mark.parametrize(
    ("there", "holds"),
    [
        (f"{I2C}\n", True),
        ("dtparam=i2c_arm_baudrate=400000\ndtparam=i2c_arm\n", True),
        ("[pi4]\narm_boost=1\n[all]\n dtparam = i2c_arm=true , i2c_arm_baudrate = 400000\n", True),
        ("dtparam=i2c_arm=off\ndtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000", True),
        (f"#{I2C}\n", False),
        (f"[pi4]\n{I2C}\n", False),
        (f"{I2C}\ndtparam=i2c_arm=off\n", False),
        ("dtparam=i2c_arm=on\n", False),
        ("", False),
    ],
)
def test_only_what_does_not_hold_on_this_pi_already_is_written(there: str, *, holds: bool) -> None:
    assert with_boot_lines(there, [I2C]) == (there if holds else there + block(I2C))


def test_a_last_line_without_an_end_gets_one() -> None:
    assert with_boot_lines("arm_boost=1", [I2C]) == f"arm_boost=1\n{block(I2C)}"


def test_a_file_of_another_systems_line_ends_keeps_them() -> None:
    assert with_boot_lines("arm_boost=1\r\n", ["enable_uart=0"]).split("\r\n")[-3:] == ["enable_uart=0", END, ""]


LINES = st.sampled_from(
    [
        *SHIPPED.splitlines(),
        I2C,
        "dtparam=i2c_arm=off",
        "enable_uart=1",
        "[pi5]",
        "[none]",
        "dtoverlay=spi0-2cs",
        "",
        "x=y=z",
    ]
)


@given(
    lines=st.lists(LINES, max_size=12),
    end=st.sampled_from(["\n", "\r\n"]),
    build=st.sampled_from(profile_names()),
    earlier=st.sampled_from(profile_names()),
)
def test_whatever_the_file_says_it_stays_and_is_changed_once(
    lines: list[str], end: str, build: str, earlier: str
) -> None:
    text = "".join(f"{line}{end}" for line in lines)
    needed = boot_lines(load_profile(build))
    changed = with_boot_lines(text, needed)
    assert changed.startswith(text)
    assert with_boot_lines(changed, needed) == changed
    assert with_boot_lines(with_boot_lines(text, boot_lines(load_profile(earlier))), needed) == changed
