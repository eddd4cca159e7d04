#!/bin/sh
# Lays the table down on Raspberry Pi OS (or Debian), and takes it away: `make install` and `make uninstall` call this.
#   DESTDIR        an empty folder to lay it down in instead of the running system; nothing is started then
#   PROFILE        the build, written into the configuration the first time
#   SYSTEM_PYTHON  the Python that runs it; Debian's own sees Debian's lgpio
set -eu
cd "$(dirname "$0")/.."
destdir="${DESTDIR:-}"
profile="${PROFILE:-simulated}"
python="${SYSTEM_PYTHON:-/usr/bin/python3}"
program="$destdir/opt/captains-table"
command="$destdir/usr/local/bin/captains-table"
settings="$destdir/etc/captains-table"
units="$destdir/etc/systemd/system"
users="$destdir/etc/sysusers.d"
rules="$destdir/etc/udev/rules.d"

complain() {
    echo "captains-table: $1" >&2
    exit 1
}

# A name that comes with the program, or an absolute path: the service runs in another folder.
check_profile() {
    case "$profile" in
    /*) [ -f "$profile" ] && return 0 ;;
    *) [ -f "hardware/profiles/$profile.toml" ] && return 0 ;;
    esac
    known="$(cd hardware/profiles && echo *.toml | sed 's/\.toml//g')"
    complain "no profile '$profile': expected one of $known, or the absolute path of a file"
}

need_root() {
    [ -n "$destdir" ] || [ "$(id -u)" -eq 0 ] || complain "this changes the system: run 'sudo make $1'"
}

booted() {
    [ -z "$destdir" ] && [ -d /run/systemd/system ]
}

# What Debian has to bring: pip to fetch with, and lgpio, which has wheels up to Python 3.12 only.
install_packages() {
    packages=""
    "$python" -c "import ensurepip" 2>/dev/null || packages="python3-venv"
    "$python" -c "import sys; sys.exit(sys.version_info >= (3, 13))" || "$python" -c "import lgpio" 2>/dev/null ||
        packages="$packages python3-lgpio"
    [ -n "$packages" ] && command -v apt-get >/dev/null 2>&1 || return 0
    apt-get update -qq
    env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages
}

# The packages go into a folder of their own, not into a virtual environment: it can be laid down anywhere, and Debian's
# lgpio is seen beside it. The old folder stays in use until the new one is whole.
install_program() {
    work="$(mktemp -d)"
    trap 'rm -rf "$work"' EXIT
    "$python" -m venv "$work/venv"
    "$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile \
        --target "$work/lib" ".[pi]"
    rm -rf "$work/lib/bin"
    "$python" -m compileall -q -s "$work/lib" -p /opt/captains-table/lib "$work/lib"
    mkdir -p "$program"
    rm -rf "$program/lib.new"
    cp -Rp "$work/lib" "$program/lib.new" # with its times: by them Python knows that what is compiled is current
    chmod -R u=rwX,go=rX "$program"
    rm -rf "$program/lib"
    mv "$program/lib.new" "$program/lib"
}

install_command() {
    mkdir -p "$(dirname "$command")"
    cat >"$command.new" <<END
#!$python -sP
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "opt/captains-table/lib"))

from captains_table.cli.main import main

sys.exit(main())
END
    chmod 755 "$command.new"
    mv "$command.new" "$command"
}

install_settings() {
    if [ -e "$settings/config.toml" ]; then
        echo "$settings/config.toml is kept as it is."
        return 0
    fi
    mkdir -p "$settings"
    sed "s|^profile = \"simulated\"|profile = \"$profile\"|" systemd/config.toml >"$settings/config.toml"
    chmod 644 "$settings/config.toml"
}

install_units() {
    install -D -m 644 -t "$units" systemd/captains-table.service systemd/captains-table-kiosk.service
    install -D -m 644 systemd/captains-table.sysusers "$users/captains-table.conf"
    install -D -m 644 -t "$rules" systemd/60-captains-table.rules
    if [ -z "$destdir" ] && ! getent group gpio i2c spi >/dev/null; then
        echo "The groups of Raspberry Pi OS are not here: the service starts, without access to pins and buses."
        return 0
    fi
    install -D -m 644 -t "$units/captains-table.service.d" systemd/captains-table.service.d/raspberry-pi-os.conf
}

# In the folder of an image that is being made, the service is enabled and starts when the image does.
start() {
    systemd-sysusers captains-table.conf
    systemctl enable captains-table.service
    booted || return 0
    systemctl daemon-reload
    udevadm control --reload
    udevadm trigger --subsystem-match=tty
    systemctl restart captains-table.service
}

case "${1:-}" in
install)
    need_root install
    "$python" -c "import sys; sys.exit(sys.version_info < (3, 11))" || complain "expected Python 3.11 or newer: $python"
    check_profile
    [ -n "$destdir" ] || install_packages
    install_program
    install_command
    install_settings
    install_units
    [ -n "$destdir" ] && exit 0
    "$command" run --check "$settings/config.toml"
    start
    ;;
uninstall)
    need_root uninstall
    if booted; then systemctl stop captains-table-kiosk.service captains-table.service || true; fi
    [ -n "$destdir" ] || systemctl disable captains-table-kiosk.service captains-table.service || true
    rm -rf "$program" "$settings" "$units/captains-table.service.d"
    rm -f "$command" "$units/captains-table.service" "$units/captains-table-kiosk.service"
    rm -f "$users/captains-table.conf" "$rules/60-captains-table.rules"
    if booted; then
        systemctl daemon-reload
        udevadm control --reload
    fi
    if [ -z "$destdir" ] && getent passwd captains-kiosk >/dev/null; then userdel captains-kiosk; fi
    echo "The matches stay in $destdir/var/lib/captains-table."
    ;;
*)
    complain "expected 'install' or 'uninstall': run 'make install' or 'make uninstall'"
    ;;
esac
