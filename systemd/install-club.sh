#!/bin/sh
# Installs a club's broker, server and wall on this computer (Debian, or Raspberry Pi OS), uninstalls them, and makes a
# table join a club. `make install-club`, `make uninstall-club` and `make join-club` call this.
#   TABLES         number of tables; default: 12 at the first installation, later the existing ones
#   HOST           names or addresses of this computer for the tables, the preferred one first; default: its own
#   TABLE          for joining: the folder that the club made for this table
#   DESTDIR        an empty folder to install into instead of the running system; no keys are made then
#   SYSTEM_PYTHON  the Python that runs the program
set -eu
called_from="$PWD"
answers_within_s=90
umask 022
CDPATH='' cd -- "$(dirname -- "$0")/.."
# shellcheck source=SCRIPTDIR/installing.sh
. systemd/installing.sh

expect_one_line HOST "${HOST:-}"
expect_one_line TABLE "${TABLE:-}"
case "${TABLES:-}" in
*[!0-9]*) complain "TABLES=$TABLES: expected how many tables there are, such as 12" ;;
esac
club="$destdir/etc/captains-table-club"
broker="$destdir/etc/mosquitto/captains-table"
drop_in="$destdir/etc/mosquitto/conf.d/captains-table.conf"
units="$destdir/etc/systemd/system"
users="$destdir/etc/sysusers.d"
command="$destdir/usr/local/bin/captains-table"
evenings="/var/lib/captains-table-club"
table_config="/etc/captains-table/config.toml"
table_state="/var/lib/captains-table"

install_broker() {
    [ ! -x /usr/sbin/mosquitto ] || return 0
    command -v apt-get >/dev/null 2>&1 || complain "there is no Mosquitto: expected /usr/sbin/mosquitto"
    apt-get update -qq
    env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends mosquitto
}

install_units() {
    install -D -m 644 -t "$units" systemd/captains-table-club.service
    install -D -m 644 systemd/captains-table-club.sysusers "$users/captains-table-club.conf"
}

# Creates keys and passwords; existing ones stay, and those for additional tables are added.
make_keys() {
    if [ -z "${TABLES:-}" ]; then
        if [ -e "$club/config.toml" ]; then TABLES=1; else TABLES=12; fi
    fi
    # shellcheck disable=SC2086 # each word of HOST is a name
    "$command" club init "$club" --tables "$TABLES" ${HOST:+--host $HOST} --broker "$broker" --state "$evenings"
}

# Broker and server can each read their own secrets only.
give_keys() {
    chown mosquitto: "$broker/acl" "$broker/passwords" "$broker/server.key"
    chown captains-club: "$club/club-password" "$club/web.key"
    install -m 644 "$broker/captains-table.conf" "$drop_in"
}

start() {
    systemctl enable mosquitto.service captains-table-club.service
    booted || return 0
    systemctl daemon-reload
    systemctl restart mosquitto.service || explain_silence mosquitto "the broker does not start"
    systemctl try-restart captains-table.service || true # a table on this computer uses the same program
    systemctl restart captains-table-club.service || explain_silence captains-table-club "the club's server does not start"
}

# Ends the installation: waits until the wall answers, and prints its address.
show_wall() {
    if ! booted; then
        say "Broker and server start when this system does."
        return 0
    fi
    answers || explain_silence captains-table-club "the wall does not answer"
    journalctl --unit captains-table-club --boot --no-pager --output cat |
        grep -E '^(The (wall|arbiter|certificate)|Arbiters) ' | tail -n 5
    say "For each table: its folder in $club/tables, there 'sudo make join-club TABLE=FOLDER'."
}

# Runs a command as the owner of the working folder. Root uses no file name in a service's folder, as the service's user
# could place links there. The caller changes into the folder as root, because the owner may not reach it by its path. The
# command gets no terminal, because its user could use it to type commands as root.
as_owner() {
    setsid --wait setpriv --reuid="$(stat -c %u .)" --regid="$(stat -c %g .)" --clear-groups --no-new-privs -- "$@"
}

answers() {
    (
        cd -P "$evenings" || exit 1
        as_owner timeout "$answers_within_s" /usr/bin/python3 -I - <<'END'
import os, sys, time, urllib.request
while True:
    try:
        with open(os.open("address", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), encoding="ascii") as address:
            urllib.request.urlopen(address.read().strip() + "health", timeout=5)
        sys.exit(0)
    except (OSError, ValueError):
        time.sleep(0.5)
END
    )
}

explain_silence() {
    say "captains-table: $2. What was said last:" >&2
    journalctl --unit "$1" --lines 20 --no-pager --output cat >&2 || true
    complain "once that is put right: sudo systemctl restart mosquitto captains-table-club"
}

# Refuses a file or folder of the wrong kind or owner under a name in the working folder; a missing one is accepted.
expect_own() {
    owner="$(stat -c %u .)"
    found="$(as_owner env LC_ALL=C stat -c '%F of user %u with %h names' "$1" 2>/dev/null)" || return 0
    case "$2: $found" in
    "folder: directory of user $owner "* | "file: regular "*" with 1 names") ;;
    *) complain "$table_state/$1 is a $found: expected a $2 of user $owner's own; see who put it there, and remove it" ;;
    esac
}

# Root opens the source and passes only its descriptor to the owner; `excl` refuses to open an existing file.
replace_own() {
    as_owner rm -f "club/$1"
    as_owner dd of="club/$1" conv=excl status=none <"$folder/$1"
}

# Makes this table join a club: copies its password and the club's certificate where only the table's service can read them.
join_club() {
    folder="$(absolute "${TABLE:-}")"
    for file in club.toml password ca.crt; do
        [ -f "$folder/$file" ] || complain "no '$folder/$file': expected TABLE=FOLDER, a folder that 'club init' made"
    done
    [ -f "$table_config" ] || complain "there is no $table_config: expected a table, by 'sudo make install'"
    (
        if ! cd -P "$table_state" 2>/dev/null || ! as_owner test -f journal.sqlite3; then
            complain "the table was never started: expected 'sudo systemctl start captains-table' before"
        fi
        expect_own club folder
        expect_own club/password file
        expect_own club/ca.crt file
        as_owner install -d -m 700 club
        umask 077
        replace_own password
        umask 022
        replace_own ca.crt
    )
    if grep -Eq '^[[:space:]]*\[club\]' "$table_config"; then
        say "$table_config has a [club] already: that stays."
    else
        { printf '\n' && cat "$folder/club.toml"; } >>"$table_config"
    fi
    "$command" run --check "$table_config"
    if booted; then systemctl restart captains-table.service; fi
}

case "${1:-}" in
install)
    need_root install-club
    [ -n "$destdir" ] || install_broker
    say "Installing the program: fetching packages, which takes a minute or more."
    CLUB=1 DESTDIR="$destdir" sh systemd/install.sh program
    install_units
    if [ -n "$destdir" ]; then
        say "No key is made for a system that does not run: 'sudo make install-club' there makes them."
        exit 0
    fi
    systemd-sysusers captains-table-club.conf
    make_keys
    give_keys
    start
    show_wall
    ;;
uninstall)
    need_root uninstall-club
    if booted; then systemctl stop captains-table-club.service || true; fi
    [ -n "$destdir" ] || systemctl disable captains-table-club.service || true
    rm -f "$units/captains-table-club.service" "$users/captains-table-club.conf" "$drop_in"
    DESTDIR="$destdir" sh systemd/install.sh remove-program
    if booted; then systemctl daemon-reload && systemctl restart mosquitto.service; fi
    if [ -z "$destdir" ] && getent passwd captains-club >/dev/null; then userdel captains-club; fi
    say "Keys and passwords stay in $club and $broker, the evenings in $destdir$evenings."
    ;;
join)
    need_root join-club
    join_club
    ;;
*)
    complain "expected 'install', 'uninstall' or 'join': run 'make install-club', 'make uninstall-club' or 'make join-club'"
    ;;
esac
