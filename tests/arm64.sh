#!/bin/sh
# Installs the table in a Debian for arm64, the Pi's own kind of machine, and plays there: what wheels, paths and packages do
# that no test on another machine can say. For root, by hand, before a release: about a quarter of an hour and 2 GB a release.
#
#   sh tests/arm64.sh                   bookworm and trixie
#   sh tests/arm64.sh trixie            one of them
#
# Nothing of the kernel is needed but chroot: no mounts, no namespaces, no binfmt_misc. The programs run under qemu-user,
# and start each other through a little library that tells them to (arm64/exec_through_qemu.c). So there is no init, no udev
# and no bus in there, and what they do is not tried: see tests/booted_machine.sh. It needs the Debian packages debootstrap,
# qemu-user-static, gcc-aarch64-linux-gnu and libc6-dev-arm64-cross. How this machine reaches Debian's packages and PyPI is
# carried over.
set -eu
PACKAGES=python3,python3-venv,make,ca-certificates,systemd
PAGE_WITHIN_S=180
EMULATOR=/usr/bin/qemu-aarch64-static
LIBRARY=/usr/lib/exec_through_qemu.so
CONFIG=/etc/captains-table/config.toml
HERE="$(cd "$(dirname "$0")/.." && pwd)"
# shellcheck source-path=SCRIPTDIR source=support/carrying.sh
. "$HERE/tests/support/carrying.sh"

complain() {
    echo "arm64.sh: $*" >&2
    exit 1
}

start() {
    [ "$(id -u)" -eq 0 ] || complain "only root can make and enter a new Debian: run it with sudo"
    for tool in debootstrap qemu-aarch64-static qemu-x86_64-static aarch64-linux-gnu-gcc git python3; do
        command -v "$tool" >/dev/null 2>&1 || complain "$tool is not installed; see the head of this script"
    done
    [ -z "$(git -C "$HERE" status --porcelain)" ] || echo "Note: HEAD is tried, without what is not committed yet."
    work="$(mktemp -d -p "${TMPDIR:-/var/tmp}" arm64.XXXXXX)"
    trap clean_up EXIT
    trap 'complain "interrupted"' HUP INT TERM
    port="$(python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])')"
    environment="$(carried_environment)"
    failed=0
    echo "At $(git -C "$HERE" log -1 --format='%h, %s'), load $(cut -d' ' -f1 /proc/loadavg) on $(nproc) cores:"
    for release in "${@:-bookworm}"; do try "$release"; done
    [ $# -gt 0 ] || try trixie
    compare
}

clean_up() {
    stop_daemon
    [ -z "${root:-}" ] || unmount "$root"
    rm -rf --one-file-system "$work"
}

# debootstrap mounts these where it may, and leaves them where it is stopped.
unmount() {
    for folder in proc sys; do
        if mountpoint -q "$1/$folder"; then umount "$1/$folder"; fi
    done
}

# --- a root

make_root() {
    mirror="$(mirror_of "$1")"
    : "${mirror:="$(mirror_of '[a-z]*')"}"
    debootstrap --arch=arm64 --foreign --variant=minbase --include="$PACKAGES" "$1" "$root" ${mirror:+"$mirror"} \
        >"$root.log" 2>&1 || complain "debootstrap failed: $(tail -n 20 "$root.log")"
    cp "$EMULATOR" "$root$EMULATOR"
    aarch64-linux-gnu-gcc -Wall -Wextra -Werror -O2 -shared -fPIC -o "$root$LIBRARY" \
        "$HERE/tests/arm64/exec_through_qemu.c"
    rm -f "$root/proc" # debootstrap makes a link of it where it may not mount
    mkdir -p "$root/proc"
    mkdir -p "$root/etc/dpkg/dpkg.cfg.d"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io" # it lasts no longer than this script
    inside /bin/sh /debootstrap/debootstrap --second-stage >>"$root.log" 2>&1 ||
        complain "debootstrap's second stage failed: $(tail -n 20 "$root.log")"
    unmount "$root"
    [ -z "$mirror" ] || echo "deb $mirror $1 main" >"$root/etc/apt/sources.list"
    carry_network "$root"
    carry_certificates "$root"
    mkdir -p "$root/root/captains-table" "$root/var/lib/captains-table"
    git -C "$HERE" archive HEAD | tar -x -C "$root/root/captains-table"
}

# Becomes a command in the root, with nothing of this machine's environment but how it reaches the network.
become() {
    IFS='
'
    set -f
    # shellcheck disable=SC2086 # one word for each of its lines
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive $environment \
        chroot "$root" "$EMULATOR" -E "LD_PRELOAD=$LIBRARY" "$@"
}

inside() {
    (become "$@")
}

# The installed command, which is a script: the emulator itself starts none.
table() {
    inside /bin/sh /usr/local/bin/captains-table "$@"
}

in_source() {
    inside /bin/sh -c "cd /root/captains-table && $1"
}

# --- what is tried

try() {
    release="$1"
    root="$work/$release"
    began="$(seconds)"
    make_root "$release"
    made=$(($(seconds) - began))
    echo "$release, $(inside /usr/bin/python3 --version) on $(inside /bin/uname -m); its root took $made s"
    check "a build on pins is laid down with lgpio, or refused where Debian has none" pins
    rm -rf "${root:?}/etc/captains-table"
    began="$(seconds)"
    check "make install PROFILE=pico-8x8" in_source "make --no-print-directory install PROFILE=pico-8x8"
    echo "        $(($(seconds) - began)) s"
    check "it has fetched no lgpio" without_lgpio
    for profile in "$HERE"/hardware/profiles/*.toml; do
        check "run --check for $(basename "$profile" .toml)" checked "$(basename "$profile" .toml)"
    done
    check "the daemon, with no Pico and no glass" serve_page become /bin/sh /usr/local/bin/captains-table run "$CONFIG"
    echo "        $figures"
    check "captains-table page" table page "$CONFIG"
    stop_daemon
    check "a tape" in_source "/usr/local/bin/captains-table replay tests/tapes/hold-roll.tape"
    check "make uninstall" in_source "make --no-print-directory uninstall"
    unmount "$root"
    rm -rf --one-file-system "$root"
}

check() {
    words="$1"
    shift
    if "$@" >"$work/said" 2>&1; then
        echo "ok      $words"
    else
        echo "FAILED  $words:"
        tail -n 20 "$work/said"
        failed=1
    fi
}

seconds() {
    date +%s
}

# Where Python has no wheel of lgpio, and Debian no package: it says so, and what to do, before anything is laid down.
pins() {
    if in_source "make --no-print-directory install PROFILE=gpio-8x8" >"$work/pins" 2>&1; then
        inside /usr/bin/python3 -sP -c 'import sys; sys.path.insert(0, "/opt/captains-table/lib"); import gpiozero, lgpio'
    else
        cat "$work/pins"
        grep -q "needs Debian's package python3-lgpio" "$work/pins" && [ ! -e "$root/opt/captains-table" ]
    fi
}

without_lgpio() {
    [ -d "$root/opt/captains-table/lib/captains_table" ] && [ ! -e "$root/opt/captains-table/lib/lgpio.py" ]
}

checked() {
    printf '[table]\nprofile = "%s"\n' "$1" >"$root/root/$1.toml"
    table run --check "/root/$1.toml"
}

# Starts a daemon and waits for its page; says after how long it came, how much of a core that took, which a busy machine does
# not change, and how large the process is then.
serve_page() {
    figures="no page"
    [ ! -e "$root$CONFIG" ] || sed -i "s/^port = .*/port = $port/" "$root$CONFIG"
    began="$(tenths)"
    "$@" >"$work/daemon" 2>&1 &
    daemon=$!
    until answers; do
        if ! kill -0 "$daemon" 2>/dev/null || [ $(($(tenths) - began)) -gt $((PAGE_WITHIN_S * 10)) ]; then
            cat "$work/daemon"
            return 1
        fi
        sleep 0.1
    done
    took=$(($(tenths) - began))
    worked="$(awk -v tick="$(getconf CLK_TCK)" '{ printf "%.1f", ($14 + $15) / tick }' "/proc/$daemon/stat")"
    resident="$(awk '/^VmRSS:/ { print int($2 / 1024) }' "/proc/$daemon/status")"
    figures="page after $((took / 10)).$((took % 10)) s, $worked s of a core, $resident MB"
    cat "$work/daemon"
}

tenths() {
    echo $(($(date +%s%N) / 100000000))
}

answers() {
    python3 -c '
import sys, urllib.request as web
page = f"http://127.0.0.1:{sys.argv[1]}"
opener = web.build_opener(web.ProxyHandler({}))
sys.exit(b"status" not in opener.open(f"{page}/health", timeout=5).read() or b"<html" not in opener.open(page, timeout=20).read())
' "$port" 2>/dev/null
}

stop_daemon() {
    [ -n "${daemon:-}" ] || return 0
    kill "$daemon" 2>/dev/null || true
    wait "$daemon" 2>/dev/null || true
    daemon=""
}

# --- the same on this machine's own kind, under the emulator and without

compare() {
    root="$work/here"
    python="$(python3 -c 'import sys; print(sys.executable)')"
    check "make install DESTDIR=... here" make --no-print-directory -C "$HERE" install DESTDIR="$root" \
        SYSTEM_PYTHON="$python" PROFILE=pico-8x8
    sed -i "s|^state_dir = .*|state_dir = \"$work/state\"|" "$root$CONFIG"
    # shellcheck disable=SC2086 # the emulator, or none
    for emulator in "qemu-x86_64-static" ""; do
        check "the daemon on $(uname -m) ${emulator:-without an emulator}" \
            serve_page $emulator "$python" -sP "$root/opt/captains-table/lib" run "$root$CONFIG"
        echo "        $figures"
        stop_daemon
    done
}

start "$@"
[ "$failed" -eq 0 ]
