#!/bin/sh
# Installs the table on Raspberry Pi OS (or Debian), and uninstalls it: `make install` and `make uninstall` call this.
#   DESTDIR        an empty folder to install into instead of the running system; nothing is started then
#   PROFILE        the build, a profile's name or file, written into the configuration at the first installation
#   SYSTEM_PYTHON  the Python that runs the program; Debian's own can use Debian's lgpio
#   ENGINE         1 builds an engine for Captain's Chess; a path selects an existing one; written into the configuration
#   YES            1 writes the lines that the build needs into the Pi's config.txt without asking
# Names of folders and files must not contain line breaks; relative ones are relative to the caller's folder.
set -eu
called_from="$PWD"
answers_within_s=90 # the first start is slow on a Zero 2 W
CDPATH='' cd -- "$(dirname -- "$0")/.."
# shellcheck source=SCRIPTDIR/installing.sh
. systemd/installing.sh

expect_one_line PROFILE "${PROFILE:-}"
expect_one_line SYSTEM_PYTHON "${SYSTEM_PYTHON:-}"
expect_one_line ENGINE "${ENGINE:-}"
case "${YES:-}" in
"" | 0 | 1) ;;
*) complain "YES=$YES: expected YES=1, which writes the Pi's config.txt without asking, or nothing" ;;
esac
profile="${PROFILE:-simulated}"
python="${SYSTEM_PYTHON:-/usr/bin/python3}"
engine="${ENGINE:-}"
program="$destdir/opt/captains-table"
built_engine="/opt/captains-table/bin/fairy-stockfish"
command="$destdir/usr/local/bin/captains-table"
settings="$destdir/etc/captains-table"
units="$destdir/etc/systemd/system"
users="$destdir/etc/sysusers.d"
rules="$destdir/etc/udev/rules.d"

# Checks PROFILE: the name of a profile of the program, or a file, whose path is made absolute, as the service runs in
# another folder.
find_profile() {
    case "$profile" in
    */* | *.toml)
        profile="$(absolute "$profile")"
        [ -f "$profile" ] || complain "no profile '$profile': expected a file, or one of$(known_profiles)"
        [ -n "$destdir" ] || expect_service_sees "$profile"
        ;;
    *)
        [ -f "hardware/profiles/$profile.toml" ] ||
            complain "no profile '$profile': expected one of$(known_profiles), or the path of a file"
        ;;
    esac
}

known_profiles() {
    for file in hardware/profiles/*.toml; do
        printf ' %s' "$(basename "$file" .toml)"
    done
}

# Refuses a file that the service cannot read: it runs as an unprivileged user, without home folders and temporary files.
expect_service_sees() {
    case "$(realpath "$1")" in
    /home/* | /root/* | /run/user/* | /tmp/* | /var/tmp/*) ;;
    *) ! setpriv --reuid=65534 --regid=65534 --clear-groups test -r "$1" 2>/dev/null || return 0 ;;
    esac
    complain "the service cannot read '$1': expected a file that everybody may read, outside of home folders and /tmp. \
Copy it (sudo install -D -m 644 FILE /etc/captains-table/NAME.toml) and name the copy"
}

# Checks ENGINE: 1 to build an engine, or the path of an existing one.
find_engine() {
    case "$engine" in
    "" | 0) engine="" ;;
    1) engine="$built_engine" ;;
    *)
        engine="$(absolute "$engine")"
        if [ ! -f "$engine" ] || [ ! -x "$engine" ]; then
            complain "no program '$engine': expected ENGINE=1, which builds one, or the path of a UCI engine"
        fi
        [ -n "$destdir" ] || expect_service_sees "$engine"
        ;;
    esac
}

find_python() {
    case "$python" in
    */*) python="$(absolute "$python")" ;;
    *) python="$(command -v "$python")" || complain "no program '$python': expected Python 3.11 or newer" ;;
    esac
    "$python" -c "import sys; sys.exit(sys.version_info < (3, 11))" || complain "expected Python 3.11 or newer: $python"
    "$python" -c "import sys; sys.exit(sys.maxsize < 2**32)" || complain "this is a 32-bit system, for which msgspec has \
no wheel: expected the 64-bit Raspberry Pi OS, which runs on a Pi 3, a Zero 2 W and all that came after"
    "$python" -X utf8 -c "import sys; ''.join(sys.argv[1:]).encode()" "$profile" "$python" 2>/dev/null ||
        complain "PROFILE or SYSTEM_PYTHON is not UTF-8, which is all a configuration can hold: expected another name"
}

# Determines the build to install for: an update keeps the configuration, and with it the build named there.
find_build() {
    build="$profile"
    [ -e "$settings/config.toml" ] || return 0
    build="$("$python" -X utf8 -c '
import sys, tomllib
try:
    print(tomllib.load(open(sys.argv[1], "rb")).get("table", {}).get("profile", "simulated"))
except (OSError, ValueError, AttributeError) as error:
    sys.exit(f"captains-table: {sys.argv[1]} cannot be read: {error}")
' "$settings/config.toml")"
    [ -z "${PROFILE:-}" ] || [ "$profile" = "$build" ] ||
        say "$settings/config.toml names the build $build already: that stays. For $profile, change it there."
}

# Tells whether the build uses the Pi's pins or SPI, which need lgpio, gpiozero and luma's LED drivers; a Pico on USB and a
# display on I2C need none of them.
on_pins() {
    case "$build" in
    */* | *.toml) file="$build" ;;
    *) file="hardware/profiles/$build.toml" ;;
    esac
    "$python" -B -X utf8 -c '
import sys, tomllib
sys.path.insert(0, "controller")
from captains_table.hardware.kinds import BOARD_KINDS, LIGHT_KINDS
try:
    build = tomllib.load(open(sys.argv[1], "rb"))
    owners = {BOARD_KINDS[build["source"]].owner}
    owners |= {LIGHT_KINDS[build["lights"]["kind"]].owner} if "lights" in build else set()
    sys.exit(0 if "pi" in owners or build.get("glass", {}).get("bus") == "spi" else 1)
except (OSError, ValueError, AttributeError, LookupError, TypeError):
    sys.exit(1)  # the installed program will report what is wrong with the profile
' "$file"
}

# Installs the Debian packages that are needed and missing: pip; for a build on the Pi's pins lgpio, which has wheels only up
# to Python 3.12; a compiler for building an engine; espeak-ng if speech is switched on.
install_packages() {
    set --
    "$python" -c "import ensurepip" 2>/dev/null || set -- python3-venv
    if needs_debians_lgpio; then set -- "$@" python3-lgpio; fi
    if [ "$engine" = "$built_engine" ] && ! command -v c++ >/dev/null 2>&1; then set -- "$@" g++; fi
    if speaks && ! command -v espeak-ng >/dev/null 2>&1; then set -- "$@" espeak-ng; fi
    if [ $# -eq 0 ] || ! command -v apt-get >/dev/null 2>&1; then return 0; fi
    apt-get update -qq
    if needs_debians_lgpio && ! apt-cache show python3-lgpio >/dev/null 2>&1; then
        complain "the build $build reads the Pi's own pins, for which it needs Debian's package python3-lgpio. Raspberry Pi OS has \
it, plain Debian 13 has not: expected Raspberry Pi OS, or a build with a Pico"
    fi
    env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

# Tells whether a club is installed on this computer, or is being installed.
has_club() {
    [ -n "${CLUB:-}" ] || [ -e "$units/captains-table-club.service" ]
}

needs_debians_lgpio() {
    on_pins && "$python" -c "import sys; sys.exit(sys.version_info < (3, 13))" && ! "$python" -c "import lgpio" 2>/dev/null
}

speaks() {
    grep -Eqs '^[[:space:]]*speech[[:space:]]*=[[:space:]]*true' "$settings/config.toml"
}

# Installs the Python packages into one folder instead of a virtual environment: a folder can be moved, and Debian's lgpio
# is visible in addition. The old folder stays in use until the new one is complete.
install_program() {
    work="$(mktemp -d)"
    trap 'rm -rf "$work"' EXIT
    wanted=.
    if on_pins; then wanted=".[pi]"; fi
    if has_club; then wanted=".[club]"; fi
    if on_pins && has_club; then wanted=".[club,pi]"; fi
    "$python" -m venv "$work/venv"
    # Only tested versions are installed. Building a package runs its code as root, so only python-chess, which has no wheel,
    # and the table itself are built; the environment variable also fixes the versions of their build tools.
    wheels="$(sed '/^#/d; /^chess==/d; s/==.*//' systemd/constraints.txt | paste -sd , -)"
    PIP_CONSTRAINT=systemd/constraints.txt "$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
        --no-compile --only-binary "$wheels" --target "$work/lib" "$wanted"
    rm -rf "$work/lib/bin"
    write_main "$work/lib"
    "$python" -m compileall -q -s "$work/lib" -p /opt/captains-table/lib "$work/lib"
    mkdir -p "$program"
    rm -rf "$program/lib.new"
    cp -Rp "$work/lib" "$program/lib.new" # with its times, by which Python sees that the compiled files are current
    chmod -R u=rwX,go=rX "$program"
    rm -rf "${program:?}/lib"
    mv "$program/lib.new" "$program/lib"
}

install_engine() {
    [ "$engine" = "$built_engine" ] || return 0
    say "Building the engine for Captain's Chess, which takes some minutes on a Pi ..."
    sh systemd/fairy.sh "$work/venv/bin/python" "$destdir$built_engine"
    chmod 755 "$program/bin"
}

# Installs the command: a shell script that runs Python on the program's folder, that is its __main__.py. A "#!" line with
# Python itself would limit the path's length. The script finds the folder relative to itself, so that an installation in
# DESTDIR works too, and exports its path for the processes that the program starts.
install_command() {
    mkdir -p "$(dirname "$command")"
    cat >"$command.new" <<END
#!/bin/sh
here="\$(readlink -f -- "\$0")"
PYTHONPATH="\${here%/usr/local/bin/*}/opt/captains-table/lib"
export PYTHONPATH
exec $(shell_word "$python") -sP "\$PYTHONPATH" "\$@"
END
    chmod 755 "$command.new"
    mv "$command.new" "$command"
}

write_main() {
    cat >"$1/__main__.py" <<END
import sys

from captains_table.cli.main import main

if __name__ == "__main__":  # but not in a worker process
    sys.exit(main())
END
}

shell_word() {
    "$python" -X utf8 -c "import shlex, sys; print(shlex.quote(sys.argv[1]))" "$1"
}

# Warns if the configuration limits the page to this machine, as earlier installations did: phones cannot reach it then.
tell_of_host() {
    host="$("$python" -X utf8 -c '
import sys, tomllib
host = str(tomllib.load(open(sys.argv[1], "rb")).get("web", {}).get("host", "127.0.0.1"))
print(host if host in {"localhost", "::1"} or host.startswith("127.") else "")
' "$settings/config.toml" 2>/dev/null)" || return 0 # an unreadable configuration is reported elsewhere
    [ -z "$host" ] || say "  Its page is for this machine alone (host $host). For phones and other devices, write
      host = \"0.0.0.0\"    under [web] there, then: sudo systemctl restart captains-table"
}

install_settings() {
    if [ -e "$settings/config.toml" ]; then
        say "$settings/config.toml is kept as it is."
        tell_of_host
        return 0
    fi
    mkdir -p "$settings"
    with_profile "$profile" <systemd/config.toml >"$settings/config.toml.new"
    chmod 644 "$settings/config.toml.new"
    mv "$settings/config.toml.new" "$settings/config.toml"
}

# Copies the configuration from standard input and sets its profile; JSON strings are valid in TOML.
with_profile() {
    "$python" -X utf8 -c '
import json, sys
named = "profile = " + json.dumps(sys.argv[1], ensure_ascii=False)
sys.stdout.write(sys.stdin.read().replace("profile = \"simulated\"", named, 1))
' "$1"
}

# Writes the engine into the configuration, unless one is set there.
name_engine() {
    [ -n "$engine" ] || return 0
    "$python" -X utf8 -c '
import json, re, sys, tomllib
from pathlib import Path
config, engine = Path(sys.argv[1]), sys.argv[2]
text = config.read_text(encoding="utf-8")
named = tomllib.loads(text).get("table", {}).get("engine")
if named is None:
    line = f"engine = {json.dumps(engine, ensure_ascii=False)}"
    written, count = re.subn(r"(?m)^[ \t]*\[table\].*$", lambda head: f"{head[0]}\n{line}", text, count=1)
    new = Path(f"{config}.new")
    new.write_text(written if count else f"{text}\n[table]\n{line}\n", encoding="utf-8")
    new.chmod(0o644)
    new.rename(config)
elif named != engine:
    print(f"{config} names the engine {named} already: that stays.")
' "$settings/config.toml" "$engine"
}

install_units() {
    install -D -m 644 -t "$units" systemd/captains-table.service systemd/captains-table-kiosk.service
    install -D -m 644 systemd/captains-table.sysusers "$users/captains-table.conf"
    install -D -m 644 -t "$rules" systemd/60-captains-table.rules
    if [ -z "$destdir" ] && ! getent group gpio i2c spi >/dev/null; then
        say "The groups of Raspberry Pi OS are not here: the service starts, without access to pins and buses."
        return 0
    fi
    install -D -m 644 -t "$units/captains-table.service.d" systemd/captains-table.service.d/raspberry-pi-os.conf
}

# Installs the units for switching the machine off, for real boards only: a simulated table must not be able to do that.
install_power_off() {
    if ! grep -Es '^[[:space:]]*(profile|board)[[:space:]]*=' "$settings/config.toml" |
        grep -Evq '=[[:space:]]*("(simulated|none)"|[0-9])'; then # a number is the table's in a club
        remove_power_off
        return 0
    fi
    install -D -m 644 -t "$units" systemd/captains-table-poweroff.path systemd/captains-table-poweroff.service
    install -D -m 644 -t "$units/captains-table.service.d" systemd/captains-table.service.d/power-off.conf
}

remove_power_off() {
    rm -f "$units/captains-table-poweroff.path" "$units/captains-table-poweroff.service"
    rm -f "$units/captains-table.service.d/power-off.conf"
}

# Enables the service, and starts it if this system is running (not an image that is being built).
start() {
    systemd-sysusers captains-table.conf
    systemctl enable captains-table.service
    booted || return 0
    reload
    if udev_runs; then udevadm trigger --subsystem-match=tty --subsystem-match=hidraw; fi
    systemctl restart captains-table.service || explain_silence "the service does not start"
}

# Restarts a club's server on this computer, which uses the same program.
restart_club() {
    if booted && has_club; then systemctl try-restart captains-table-club.service; fi
}

# Shows the lines that the build needs in the Pi's config.txt, and writes them if the user agrees, or if YES=1.
offer_boot_lines() {
    before="$(boot_files)"
    if [ "${YES:-0}" = 1 ]; then set -- --yes; else set --; fi
    "$command" boot "$build" "$@" || [ $? -eq 1 ] ||
        say "captains-table: the Pi's config.txt was left as it is; the rest goes on." >&2
    [ "$(boot_files)" = "$before" ] || must_reboot=1
}

boot_files() {
    cksum /boot/firmware/config.txt /boot/config.txt 2>/dev/null || true
}

# Ends the installation: waits until the page answers, and prints its address.
show_page() {
    if booted; then
        "$command" page "$settings/config.toml" --wait "$answers_within_s" || explain_silence "the page does not answer"
    else
        say "The table starts when this system does. Where its page is then: sudo captains-table page"
    fi
    [ -z "${must_reboot:-}" ] || say "Glass and pins are ready after a restart of the Pi: sudo reboot"
}

explain_silence() {
    say "captains-table: $1. What the table said last:" >&2
    journalctl --unit captains-table --lines 20 --no-pager --output cat >&2 || true
    complain "once that is put right: sudo systemctl restart captains-table && sudo captains-table page --wait 60"
}

# Reloads systemd and udev; a container has no udev, or one that does not run.
reload() {
    systemctl daemon-reload
    if udev_runs; then udevadm control --reload; fi
}

udev_runs() {
    command -v udevadm >/dev/null && [ -e /run/udev/control ]
}

# Removes the kiosk's user, after stopping its slice: helpers of its session outlive the kiosk for a while.
remove_user() {
    getent passwd captains-kiosk >/dev/null || return 0
    if booted; then systemctl stop "user-$(id -u captains-kiosk).slice" || true; fi
    userdel captains-kiosk
}

# Removes the program; called only when neither table nor club needs it any more.
remove_program() {
    rm -rf "$program"
    rm -f "$command"
}

case "${1:-}" in
install)
    need_root install
    find_python
    find_profile
    find_engine
    find_build
    [ -n "$destdir" ] || install_packages
    install_program
    install_engine
    install_command
    install_settings
    name_engine
    install_units
    install_power_off
    [ -n "$destdir" ] && exit 0
    "$command" run --check "$settings/config.toml"
    offer_boot_lines
    start
    restart_club
    show_page
    ;;
uninstall)
    need_root uninstall
    if booted; then systemctl stop captains-table-kiosk.service captains-table.service || true; fi
    [ -n "$destdir" ] || systemctl disable captains-table-kiosk.service captains-table.service || true
    remove_power_off
    has_club || remove_program
    rm -rf "$units/captains-table.service.d"
    rm -f "$settings/config.toml" "$units/captains-table.service" "$units/captains-table-kiosk.service"
    rm -f "$users/captains-table.conf" "$rules/60-captains-table.rules"
    if booted; then reload; fi
    [ -n "$destdir" ] || remove_user
    # The folder is not removed while it contains a builder's own profiles.
    [ ! -d "$settings" ] || rmdir "$settings" 2>/dev/null || say "What else is in $settings stays."
    say "The matches stay in $destdir/var/lib/captains-table."
    ;;
program) # called by install-club.sh
    find_python
    find_build
    [ -n "$destdir" ] || install_packages
    install_program
    install_command
    ;;
remove-program)
    [ -e "$units/captains-table.service" ] || remove_program
    ;;
*)
    complain "expected 'install' or 'uninstall': run 'make install' or 'make uninstall'"
    ;;
esac
