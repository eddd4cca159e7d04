#!/bin/sh
# Shell functions that install.sh and install-club.sh share; both source this file. `called_from` is the caller's folder.

# Prints a line; unlike echo, printf does not interpret backslashes.
say() {
    printf '%s\n' "$1"
}

complain() {
    say "captains-table: $1" >&2
    exit 1
}

# Refuses control characters in a value that is printed or written into the configuration, line by line.
expect_one_line() {
    case "$2" in
    *[[:cntrl:]]*) complain "$1 holds a line break or another control character: expected a name of one line" ;;
    esac
}

absolute() {
    case "$1" in
    /*) say "$1" ;;
    *) say "${called_from:?}/$1" ;;
    esac
}

# The folder to install into; empty for the running system.
expect_one_line DESTDIR "${DESTDIR:-}"
destdir="${DESTDIR:+$(absolute "$DESTDIR")}"

need_root() {
    [ -n "$destdir" ] || [ "$(id -u)" -eq 0 ] || complain "this changes the system: run 'sudo make $1'"
}

booted() {
    [ -z "$destdir" ] && [ -d /run/systemd/system ]
}
