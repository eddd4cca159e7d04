#!/bin/sh
# What install.sh and install-club.sh have in common; they read it. `called_from` is the folder they were called from.

# Not by echo, which reads backslashes.
say() {
    printf '%s\n' "$1"
}

complain() {
    say "captains-table: $1" >&2
    exit 1
}

# What is printed and what is written into the configuration has lines.
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

# Where everything is laid down; empty: in the running system.
expect_one_line DESTDIR "${DESTDIR:-}"
destdir="${DESTDIR:+$(absolute "$DESTDIR")}"

need_root() {
    [ -n "$destdir" ] || [ "$(id -u)" -eq 0 ] || complain "this changes the system: run 'sudo make $1'"
}

booted() {
    [ -z "$destdir" ] && [ -d /run/systemd/system ]
}
