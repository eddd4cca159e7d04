#!/bin/sh
# Installs the table under a systemd that is really running, reloads it, shows it on a kiosk without a screen, lets it join a
# club on the same machine, and takes all of it away: what no test of units as texts can say. For root, by hand, before a release: two or three minutes, and nothing of
# this machine is changed, as systemd boots in namespaces of its own, over a copy of / that is in memory and goes away.
#
#   sh tests/booted_machine.sh
#
# It needs, beside what `make test` installs (with Mosquitto), the Debian packages systemd-sysv, dbus, libpam-systemd, udev, cage and chromium.
# The screen itself (DRM, input) is the one thing that is not tried: cage draws on none.
set -eu
PAGE=http://127.0.0.1:8377
CONFIG=/etc/captains-table/config.toml
PROFILE_FILE="/srv/O'Hara's 50% \"table\" & co | #1.toml"
ELSEWHERE=10.9.9.1 # an address of this machine that is not loopback's
STATE=/var/lib/captains-table
ROOTS=/srv/roots # a folder of root's, which nothing that is planted in the state may change
WITHIN_S=60

complain() {
    echo "booted_machine.sh: $*" >&2
    exit 1
}

# --- outside: a folder that goes away again, and namespaces whose mounts and processes end with them

start() {
    [ "$(id -u)" -eq 0 ] || complain "only root can boot a machine in namespaces: run it with sudo"
    for tool in unshare nsenter udevadm cage chromium dbus-daemon /lib/systemd/systemd; do
        command -v "$tool" >/dev/null 2>&1 || complain "$tool is not installed"
    done
    here="$(cd "$(dirname "$0")/.." && pwd)"
    [ -x "$here/.venv/bin/python" ] || complain "expected .venv: run 'make .venv/dev' first"
    groups="$(findmnt --noheadings --first-only --types cgroup2 --output TARGET)" || complain "no cgroup2 is mounted"
    work="$(mktemp -d -p "${TMPDIR:-/var/tmp}" booted-machine.XXXXXX)"
    group="$groups/booted-machine-$$"
    trap clean_up EXIT
    trap 'complain "interrupted"' HUP INT TERM
    mkdir "$group" "$work/machine" "$work/wheels"
    PIP_CONSTRAINT="$here/systemd/constraints.txt" "$here/.venv/bin/python" -m pip wheel --quiet --disable-pip-version-check --wheel-dir "$work/wheels" \
        "${here}[club,pi]" hatchling >"$work/log" 2>&1 || complain "the packages cannot be fetched: $(cat "$work/log")"
    sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" \
        unshare --pid --mount --cgroup --uts --ipc --net --fork --kill-child --propagation private \
        sh "$0" --boot "$here" "$work" >"$work/log" 2>&1 &
    machine=$!
    wait_for "systemd did not start: $(cat "$work/log")" booted
    echo "$(/lib/systemd/systemd --version | head -n 1), at $(git -C "$here" log -1 --format='%h, %s')"
    inside sh /mnt/source/tests/booted_machine.sh --checks
    inside sh /mnt/source/tests/booted_machine.sh --power-off >"$work/log" 2>&1 || true
    wait_for "the machine was not switched off: $(cat "$work/log")" switched_off
    echo "ok      a file in the table's own folder switches the machine off"
}

switched_off() {
    ! kill -0 "$machine" 2>/dev/null
}

# Ends every process of the machine, and with them its mounts, before its folder is removed.
clean_up() {
    if [ -n "${machine:-}" ] && kill -KILL "$machine" 2>/dev/null; then sleep 1; fi
    rm -rf --one-file-system "$work"
    for _ in 1 2 3 4 5; do
        [ -d "$group" ] || break
        find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || sleep 1
    done
}

wait_for() {
    words="$1"
    shift
    eventually "$@" || complain "$words"
}

eventually() {
    for _ in $(seq $((WITHIN_S * 5))); do
        if "$@" >/dev/null 2>&1; then return 0; fi
        sleep 0.2
    done
    return 1
}

booted() {
    pid="$(pgrep -P "$machine" -x systemd)" && inside systemctl is-system-running
}

inside() {
    nsenter --target "$pid" --mount --pid --net --uts --ipc --cgroup --root --wd \
        env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@"
}

# --- within: the machine boots

boot() {
    machine="$2/machine"
    mount -t tmpfs tmpfs "$machine"
    mkdir "$machine/over" "$machine/work" "$machine/root"
    mount -t overlay -o "lowerdir=/,upperdir=$machine/over,workdir=$machine/work" overlay "$machine/root"
    cd "$machine/root"
    mkdir -p mnt/source mnt/wheels
    mount --bind "$1" mnt/source
    mount -o remount,bind,ro mnt/source
    mount --bind "$2/wheels" mnt/wheels
    mount_kernel
    ip link set lo up
    ip address add "$ELSEWHERE/32" dev lo
    rm -rf etc/systemd/system/*.wants # of this machine's own services none
    printf '%s\n' '[Unit]' 'DefaultDependencies=no' \
        'Wants=systemd-journald.service dbus.service systemd-logind.service' >etc/systemd/system/booted.target
    pivot_root . . # in a mere chroot nobody may make the namespaces of a sandbox
    umount --lazy .
    exec env -i container=booted-machine PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
        chroot . /lib/systemd/systemd --system --unit=booted.target --show-status=no
}

mount_kernel() {
    mount -t proc proc proc
    mount --bind proc/sys proc/sys
    mount -o remount,bind,ro proc/sys
    mount -t sysfs -o ro sysfs sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
    for folder in run tmp dev; do mount -t tmpfs -o mode=755 tmpfs "$folder"; done
    chmod 1777 tmp
    for device in null zero full random urandom tty tty0 tty1; do
        touch "dev/$device"
        mount --bind "/dev/$device" "dev/$device"
    done
    mkdir dev/pts dev/shm
    mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
    mount -t tmpfs -o mode=1777 tmpfs dev/shm
    ln -s pts/ptmx dev/ptmx
    ln -s /proc/self/fd dev/fd
    mknod -m 666 dev/loop9 b 7 9 # for anybody, but for what a unit may open
}

# --- within: what is tried

checks() {
    failed=0
    cd /mnt/source
    cp hardware/profiles/simulated.toml "$PROFILE_FILE"
    install -D -m 644 hardware/profiles/simulated.toml /home/anne/mine.toml
    check "a profile in a home folder is refused" refused_with "the service cannot read" laying_down /home/anne/mine.toml
    check "make install" laying_down "$PROFILE_FILE"
    check "it ends with an address that opens the table to play" address_opens
    check_failing_start
    wait_for "the page does not answer: $(journalctl -u captains-table)" answers
    check_reload
    check_rules
    check_devices
    check_planted
    check_kiosk
    check_club
    check "make uninstall" make --no-print-directory uninstall
    check "only the state is left" nothing_left
    exit "$failed"
}

check() {
    words="$1"
    shift
    if "$@" >/tmp/said 2>&1; then
        echo "ok      $words"
    else
        echo "FAILED  $words: $(cat /tmp/said)"
        failed=1
    fi
}

laying_down() {
    make_without_index install PROFILE="$1"
}

make_without_index() {
    PIP_NO_INDEX=1 PIP_FIND_LINKS=/mnt/wheels PIP_CONFIG_FILE=/dev/null make --no-print-directory "$@" \
        >/tmp/laid 2>&1 && laid=0 || laid=$?
    cat /tmp/laid
    return "$laid"
}

# The address it printed has the token in it, for which the page gives a cookie.
address_opens() {
    cat /tmp/laid
    python3 -c '
import sys, urllib.request as web
answer = web.urlopen(sys.argv[1], timeout=5)
sys.exit("captains-table-token-" not in (answer.headers["Set-Cookie"] or ""))' \
        "$(sed -n 's/^ *On this machine: *//p' /tmp/laid)"
}

# A port that nobody in particular may have: the service cannot come up.
check_failing_start() {
    sed -i 's/^port = .*/port = 80/' "$CONFIG"
    check "a table that cannot start ends the installation with the reason" \
        refused_with "cannot listen on 0.0.0.0 port 80" laying_down ""
    sed -i 's/^port = .*/port = 8377/' "$CONFIG"
    check "and the same again, put right, with a page" laying_down ""
}

refused_with() {
    expected="$1"
    shift
    ! said="$("$@" 2>&1)" && case "$said" in *"$expected"*) ;; *) false ;; esac
}

answers() {
    python3 -c 'import sys, urllib.request as web; web.urlopen(sys.argv[1] + "/health", timeout=5)' "$PAGE"
}

main_process() {
    systemctl show --property MainPID --value captains-table
}

check_reload() {
    before="$(main_process)"
    printf '%s\n' '[settings]' 'ask_ms = 5000' >>"$CONFIG"
    check "systemctl reload" systemctl reload captains-table
    check "its journal says what was taken over" eventually said 'Reloaded: \[settings\] ask_ms = 5000 from now on'
    echo 'colour = 1' >>"$CONFIG"
    check "a configuration that cannot be used fails the reload" refused_with "failed" systemctl reload captains-table
    check "and the table goes on" [ "$(main_process)" = "$before" ]
    check "and the page answers" answers
    sed -i '/^colour = 1$/d' "$CONFIG"
}

said() {
    journalctl --unit captains-table | grep -q "$1"
}

# The installed udev rules, as udev itself reads them, for devices that are files in a /sys of their own.
check_rules() {
    dialout="GROUP $(getent group dialout | cut -d : -f 3), MODE 0660"
    check "udev gives a Chessnut board to the service's group" ruled "$dialout" hidraw hidraw41 2d80 8100 Chessnut
    check "and the newest of its families" ruled "$dialout" hidraw hidraw41 2d80 86ff Chessnut
    check "and no other device of its maker" ruled "" hidraw hidraw41 2d80 8700 Chessnut
    check "and no keyboard" ruled "" hidraw hidraw41 046d c31c Logitech
    check "and a DGT board" ruled "$dialout" tty ttyUSB41 0403 6001 "DGT Projects"
    check "and a Pico" ruled "$dialout" tty ttyACM41 2e8a 0005 MicroPython
}

ruled() {
    expected="$1"
    shift
    found="$(unshare --mount sh /mnt/source/tests/booted_machine.sh --rules "$@" | paste -sd , | sed 's/,/, /g')"
    [ "$found" = "$expected" ] || { echo "$*: $found" && return 1; }
}

# Prints what the table's rules say of a device of a class, with a name, on a USB device with these ids and this maker.
rules_for() {
    mount -t tmpfs tmpfs /sys
    device="/sys/devices/usb1/1-1/$2"
    mkdir -p "$device" "/sys/class/$1" /sys/bus/usb
    printf '%s\n' MAJOR=240 MINOR=41 "DEVNAME=$2" >"$device/uevent"
    ln -s "/sys/class/$1" "$device/subsystem"
    : >/sys/devices/usb1/1-1/uevent
    ln -s /sys/bus/usb /sys/devices/usb1/1-1/subsystem
    echo "$3" >/sys/devices/usb1/1-1/idVendor
    echo "$4" >/sys/devices/usb1/1-1/idProduct
    echo "$5" >/sys/devices/usb1/1-1/manufacturer
    env SYSTEMD_DEVICE_VERIFY_SYSFS=0 udevadm test --action=add "$device" 2>&1 |
        sed -n 's/.*60-captains-table\.rules:[0-9]* \(\(GROUP\|MODE\) .*\)/\1/p'
}

# Devices that are not there behind names that are: whoever may open one is told so. The first is a Chessnut board's, as the
# udev rule leaves it, the second another HID device's, the third a keyboard's in the hands of everybody.
check_devices() {
    hidraw="$(sed -n 's/^ *\([0-9]*\) hidraw$/\1/p' /proc/devices)"
    mknod -m 660 /dev/hidraw41 c "$hidraw" 41
    mknod -m 600 /dev/hidraw42 c "$hidraw" 42
    mknod -m 666 /dev/keyboard c 13 95
    chgrp dialout /dev/hidraw41
    check "the service may open a Chessnut board" refused_with "No such device" as_service_opens /dev/hidraw41
    check "and no other HID device" refused_with "Permission denied" as_service_opens /dev/hidraw42
    check "and no keyboard" refused_with "Operation not permitted" as_service_opens /dev/keyboard
    systemd-analyze security captains-table.service | grep Overall
    install -D -m 644 -t /etc/systemd/system/captains-table.service.d \
        systemd/captains-table.service.d/clicker.conf systemd/captains-table.service.d/bluetooth-board.conf
    systemctl daemon-reload
    systemctl restart captains-table
    check "but with the drop-in for a clicker it may" refused_with "No such device" as_service_opens /dev/keyboard
    check "and with all drop-ins it is as little exposed" exposed_to_no_more_than 1.8
    rm /etc/systemd/system/captains-table.service.d/clicker.conf /dev/hidraw41 /dev/hidraw42 /dev/keyboard \
        /etc/systemd/system/captains-table.service.d/bluetooth-board.conf
    systemctl daemon-reload
    systemctl restart captains-table
    check "and the table plays on with its own devices alone" eventually answers
}

exposed_to_no_more_than() {
    exposure="$(systemd-analyze security captains-table.service | sed -n 's/.*Overall exposure.*: \([0-9.]*\) .*/\1/p')"
    echo "$exposure" && awk "BEGIN { exit !($exposure > 0 && $exposure <= $1) }"
}

# Opens a device as the service would: as its user, with its groups, where its devices are allowed to it.
as_service_opens() {
    process="$(main_process)"
    (
        sh -c 'echo "$PPID" >"$1/cgroup.procs"' sh "/sys/fs/cgroup$(sed -n 's/^0:://p' "/proc/$process/cgroup")"
        as_user="$(sed -n 's/^Uid:[[:space:]]*\([0-9]*\).*/\1/p' "/proc/$process/status")"
        groups="$(sed -n 's/^Groups:[[:space:]]*//p' "/proc/$process/status" | sed 's/ *$//; s/ /,/g')"
        python3 -c '
import os, sys
os.setgroups([int(group) for group in sys.argv[2].split(",")])
os.setuid(int(sys.argv[1]))
os.open(sys.argv[3], os.O_RDONLY)' "$as_user" "$groups" "$1"
    )
}

# What documents tell root to run with the state of a service that has DynamicUser, whose user plants there what may mislead.
check_planted() {
    mkdir -m 700 "$ROOTS" "$ROOTS/folder"
    echo "root's own" >"$ROOTS/secret"
    check "root copies the matches while the table plays" captains-table backup "$ROOTS/evening.sqlite3" --state "$STATE"
    find "$ROOTS" -printf '%p %u %m %n %s %T@\n' >/tmp/roots-before
    systemctl stop captains-table
    check "its user cannot come to the folder by its path" refused_with "denied" as_owner_elsewhere ls "$(realpath "$STATE")"
    commands=0
    for name in lock journal.sqlite3 journal.sqlite3-wal journal.sqlite3-shm journal.sqlite3-journal token address \
        doctor-report.txt profile-override.toml journal.sqlite3.before-8.part .captains-table-0123456789abcdef.part; do
        plant_and_refuse "a link" "$name" ln -s "$ROOTS/secret"
        plant_and_refuse "a FIFO" "$name" mkfifo
    done
    check "root does its work, or says why not, while names change places" swapped
    check "root's files are as they were" roots_unchanged
    check "a backup is put back" captains-table restore "$ROOTS/evening.sqlite3" --state "$STATE"
    check "nothing in the service's folder is root's" [ -z "$(find "$(realpath "$STATE")" -user root)" ]
    systemctl start captains-table
    check "and the table plays on" eventually answers
}

# With no more rights than the service has: another unit of the same user and folder.
by_its_user() {
    as_unit --pipe --wait "$@"
}

as_owner_elsewhere() {
    owner="$(stat -c %u "$(realpath "$STATE")")"
    (cd / && setpriv --reuid="$owner" --regid="$owner" --clear-groups "$@")
}

as_unit() {
    systemd-run --quiet --property=DynamicUser=yes --property=User=captains-table --property=StateDirectory=captains-table \
        --property=WorkingDirectory="$STATE" "$@"
}

# What is true under that name is put aside meanwhile; the commands take turns.
plant_and_refuse() {
    kind="$1"
    name="$2"
    shift 2
    file="$(realpath "$STATE")/$name"
    if [ -e "$file" ]; then mv "$file" /srv/aside; fi
    by_its_user "$@" "$name"
    commands=$((commands % 7 + 1))
    check "$kind at $name is named and refused ($commands)" refused_with "$STATE/$name is $kind" roots_command "$commands"
    rm -f "$file"
    if [ -e /srv/aside ]; then mv /srv/aside "$file"; fi
}

roots_command() {
    case "$1" in
    1) captains-table matches --state "$STATE" ;;
    2) captains-table matches export 1 --state "$STATE" ;;
    3) captains-table review 1 --state "$STATE" ;;
    4) captains-table backup /srv/copy.sqlite3 --state "$STATE" ;;
    5) captains-table restore "$ROOTS/evening.sqlite3" --state "$STATE" ;;
    6) captains-table doctor simulated --checks --state "$STATE" ;;
    7) captains-table run --check "$CONFIG" ;;
    esac
}

# Links in a folder of the user's and true files change places all the time.
swapped() {
    # shellcheck disable=SC2016 # the inner shell's own names
    by_its_user sh -c 'mkdir swaps && for name; do : >>"$name" && ln -s "$0" "swaps/$name" || exit 1; done' \
        "$ROOTS/secret" lock journal.sqlite3 journal.sqlite3-wal
    as_unit --unit=swapping /usr/bin/python3 -c '
import ctypes, sys
while True:
    for name in map(str.encode, sys.argv[1:]):
        ctypes.CDLL(None).renameat2(-100, name, -100, b"swaps/" + name, 2)' lock journal.sqlite3 journal.sqlite3-wal
    for command in 1 4 5 6 1 4 5 6; do
        roots_command "$command" 2>&1 | tee -a /tmp/swapped
    done
    systemctl is-active swapping && systemctl stop swapping
    rm -rf "$(realpath "$STATE")/swaps" "$(realpath "$STATE")"/journal.sqlite3* "$(realpath "$STATE")/lock"
    ! grep Traceback /tmp/swapped
}

roots_unchanged() {
    find "$ROOTS" -printf '%p %u %m %n %s %T@\n' | diff /tmp/roots-before - && [ "$(cat "$ROOTS/secret")" = "root's own" ]
}

check_kiosk() {
    mkdir -p /etc/systemd/system/captains-table-kiosk.service.d
    printf '%s\n' '[Service]' 'Environment=WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1' \
        >/etc/systemd/system/captains-table-kiosk.service.d/no-screen.conf
    systemctl daemon-reload
    check "the kiosk starts" systemctl start captains-table-kiosk
    check "and Chromium looks at the page" eventually looks_at_the_page
    check "every page's process is in Chromium's own sandbox, and in the unit's" pages_are_confined
    check "the browser reaches the page" within_session reach "${PAGE##*/}"
    check "and no other address" refused_with "cannot reach" within_session reach "$ELSEWHERE:8377"
    check "and opens no device but its own" refused_with "not permitted" within_session open_device /dev/loop9
    systemd-analyze security captains-table-kiosk.service | grep Overall
    systemctl stop captains-table-kiosk
    check "none of it is left when the kiosk stops" eventually no_pages
}

# Broker, server and the table that is here already: of one machine, as a small club may have it.
check_club() {
    check "make install-club" make_without_index install-club TABLES=2 HOST=localhost
    check "it ends with the wall's address and the arbiter's" grep -q '^The arbiter is at http://.*token=' /tmp/laid
    check "the club's server is as confined as it was told to be" confined_by_capabilities captains-table-club
    by_its_user ln -s "$ROOTS/folder" club
    check "a table whose user planted a link does not join" refused_with "$STATE/club is a symbolic link" \
        make --no-print-directory join-club TABLE=/etc/captains-table-club/tables/table-1
    check "and root's files are as they were" roots_unchanged
    rm -f "$(realpath "$STATE")/club"
    check "a table joins" make --no-print-directory join-club TABLE=/etc/captains-table-club/tables/table-1
    check "and is on the wall" eventually on_the_wall 1
    check "nobody else reads a password" no_password_of_others
    check "a second time changes no key" keys_stay make_without_index install-club TABLES=2
    check "and the table is on the wall again" eventually on_the_wall 1
    check "the broker that is killed comes back, and the table with it" killed_broker_comes_back
    systemd-analyze security captains-table-club.service | grep Overall
    check "make uninstall-club" make --no-print-directory uninstall-club
    check "and the table plays on" answers
    rm -rf /etc/captains-table-club /etc/mosquitto/captains-table /var/lib/captains-table-club
}

on_the_wall() {
    python3 -c '
import json, sys, urllib.request as web
health = json.load(web.urlopen("http://127.0.0.1:8378/health", timeout=5))
sys.exit(not (health["line"] and health["tables"] == int(sys.argv[1]) and health["views"]))' "$1"
}

confined_by_capabilities() {
    grep -Eq '^CapEff:[[:space:]]*0+$' "/proc/$(systemctl show --property MainPID --value "$1")/status"
}

no_password_of_others() {
    [ "$(find /etc/captains-table-club /etc/mosquitto/captains-table /var/lib/captains-table/club -type f \
        \( -name '*password*' -o -name '*.key' -o -name acl \) -perm /077 | wc -l)" -eq 0 ] &&
        ! setpriv --reuid=65534 --regid=65534 --clear-groups cat /etc/captains-table-club/club-password &&
        ! setpriv --reuid="$(id -u captains-club)" --regid=65534 --clear-groups cat /etc/captains-table-club/ca.key
}

keys_stay() {
    find /etc/captains-table-club /etc/mosquitto/captains-table -type f -exec cksum {} + >/tmp/before
    "$@" && find /etc/captains-table-club /etc/mosquitto/captains-table -type f -exec cksum {} + | cmp - /tmp/before
}

killed_broker_comes_back() {
    systemctl restart mosquitto && eventually on_the_wall 1
}

pages() {
    pgrep --uid captains-kiosk --full 'type=renderer' || true
}

no_pages() {
    [ -z "$(pages)" ]
}

looks_at_the_page() {
    [ -n "$(pages)" ] && ss --no-header --tcp --processes state established dport = :8377 | grep -q chromium
}

pages_are_confined() {
    ! no_pages || return 1
    own="$(readlink /proc/1/ns/user)"
    for process in $(pages); do
        grep -Eq '^NoNewPrivs:[[:space:]]*1' "/proc/$process/status" || return 1
        grep -Eq '^Seccomp:[[:space:]]*2' "/proc/$process/status" || return 1
        grep -Eq '^CapEff:[[:space:]]*0+$' "/proc/$process/status" || return 1
        [ "$(readlink "/proc/$process/ns/user")" != "$own" ] || return 1
    done
}

# Runs something where the kiosk's session is held: its group is what devices and addresses are allowed to.
within_session() {
    session="$(sed -n 's/^0:://p' "/proc/$(pgrep --uid captains-kiosk --exact cage)/cgroup")"
    (
        sh -c 'echo "$PPID" >"$1/cgroup.procs"' sh "/sys/fs/cgroup$session"
        "$@"
    )
}

reach() {
    python3 -c '
import socket, sys
host, port = sys.argv[1].split(":")
try:
    socket.create_connection((host, int(port)), timeout=2)
except TimeoutError:  # refused would be an answer
    sys.exit("cannot reach it")' "$1"
}

open_device() {
    python3 -c 'import os, sys; os.open(sys.argv[1], os.O_RDONLY)' "$1"
}

nothing_left() {
    [ -d /var/lib/captains-table ] && ! ls -d /opt/captains-table /etc/captains-table /usr/local/bin/captains-table \
        /etc/systemd/system/captains-table* 2>/dev/null
}

# As the table itself asks for it; nothing of this machine is left to say how that went.
power_off() {
    cd /mnt/source
    laying_down "$PROFILE_FILE"
    wait_for "the page does not answer: $(journalctl -u captains-table)" answers
    touch /run/captains-table/power-off
    sleep "$WITHIN_S"
}

case "${1:-}" in
--boot)
    shift
    boot "$@"
    ;;
--checks) checks ;;
--rules)
    shift
    rules_for "$@"
    ;;
--power-off) power_off ;;
*) start ;;
esac
