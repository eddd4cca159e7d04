#!/bin/sh
# What the tests use beside Python, from Debian's packages: Chromium without windows and a font for the pages, libatomic for the program
# that drives it, Graphviz, OpenSCAD, systemd, which judges our units, ShellCheck, which judges our scripts, strace, which lets disks fail, espeak-ng, the
# table's voice, g++, which builds the engine that plays Captain's Chess, ngspice, which judges our model of the switches, Mosquitto, the
# broker of a club, nats-server, another one, ip, which makes networks for the tests, and Stockfish, an engine for chess. Says and does nothing where all of it is there.
set -eu

# need PACKAGE COMMAND...: the package is missing if the command fails.
need() {
    package="$1"
    shift
    "$@" >/dev/null 2>&1 || printf '%s\n' "$package"
}

has_dejavu() {
    fc-list | grep -q DejaVu
}

has_mosquitto() {
    [ -x /usr/sbin/mosquitto ] # where a user's own search for commands does not lead
}

has_nats() {
    [ -x /usr/sbin/nats-server ]
}

has_stockfish() {
    [ -x /usr/games/stockfish ]
}

has_ip() {
    [ -x /usr/sbin/ip ] || [ -x /sbin/ip ] || [ -x /bin/ip ]
}

missing() {
    need chromium-headless-shell command -v chromium-headless-shell
    need fonts-dejavu-core has_dejavu
    need libatomic1 python3 -c 'import ctypes; ctypes.CDLL("libatomic.so.1")'
    need graphviz command -v dot
    need openscad command -v openscad
    need systemd command -v systemd-analyze
    need strace command -v strace
    need shellcheck command -v shellcheck
    need espeak-ng command -v espeak-ng
    need g++ command -v c++
    need ngspice command -v ngspice
    need mosquitto has_mosquitto
    need nats-server has_nats
    need iproute2 has_ip
    need stockfish has_stockfish
}

give_up() {
    echo "The tests need the Debian packages: $packages" >&2
    echo "$1: install them as root, then run 'make test' again." >&2
    exit 1
}

# shellcheck disable=SC2046 # one word for each package
set -- $(missing)
[ $# -gt 0 ] || exit 0
packages="$*"

if [ "$(id -u)" -eq 0 ]; then
    as_root="env"
elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
else
    give_up "This is not root and there is no sudo"
fi
command -v apt-get >/dev/null 2>&1 || give_up "There is no apt-get here"
echo "Installing what the tests need: $packages"
"$as_root" env apt-get update -qq || give_up "apt-get could not fetch its lists"
"$as_root" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null ||
    give_up "apt-get could not install them"
