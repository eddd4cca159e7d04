#!/bin/sh
# Runs the README's two commands, `make play` and `make test`, on a machine that has never seen us: a Debian bookworm made
# by debootstrap with python3, python3-venv, make, git, sudo and certificates, where an ordinary user who may use sudo has
# cloned HEAD. For root, by hand, before a release: it takes some ten minutes and 3 GB, and leaves nothing behind.
#
#   sh tests/fresh_machine.sh                        both commands
#   sh tests/fresh_machine.sh 'make check'           `make play`, then a command of yours instead of `make test`
#
# How this machine reaches Debian's packages, PyPI and the npm registry is carried over: apt's sources, pip's settings,
# npm's registries, proxies, certificates.
set -eu
RELEASE=bookworm
PACKAGES=python3,python3-venv,make,git,sudo,ca-certificates
PAGE_WITHIN_CPU_S=25 # of the processor: a busy machine, or a slow network, makes no run fail
GIVE_UP_S=300
USER_NAME=anne
HOME_FOLDER="/home/$USER_NAME"
# shellcheck source-path=SCRIPTDIR source=support/carrying.sh
. "$(dirname "$0")/support/carrying.sh"

complain() {
    echo "fresh_machine.sh: $*" >&2
    exit 1
}

# --- outside: a folder that goes away again, and a namespace whose mounts and processes end with it

start() {
    [ "$(id -u)" -eq 0 ] || complain "only root can make and enter a new Debian: run it with sudo"
    for tool in debootstrap unshare git; do
        command -v "$tool" >/dev/null 2>&1 ||
            complain "$tool is not installed (Debian packages debootstrap, util-linux and git)"
    done
    here="$(cd "$(dirname "$0")/.." && pwd)"
    [ -z "$(git -C "$here" status --porcelain)" ] || echo "Note: HEAD is tried, without what is not committed yet."
    work="$(mktemp -d -p "${TMPDIR:-/var/tmp}" fresh-machine.XXXXXX)"
    trap clean_up EXIT
    trap 'complain "interrupted"' HUP INT TERM
    unshare --mount --pid --fork --kill-child --propagation private sh "$0" --within "$here" "$work" "$@" &
    machine=$!
    wait "$machine"
}

# Ends every process of the machine where it still runs, and with them its mounts, before its folder is removed.
clean_up() {
    if [ -n "${machine:-}" ] && kill -KILL "$machine" 2>/dev/null; then
        sleep 1
    fi
    rm -rf --one-file-system "$work"
}

# --- within: the machine is made

within() {
    here="$1"
    root="$2/root"
    shift 2
    make_machine
    mount_kernel
    carry_settings
    make_user
    try_commands "$@"
}

make_machine() {
    echo "Making a Debian $RELEASE in $root ..."
    mirror="$(mirror_of "$RELEASE")"
    debootstrap --variant=minbase --include="$PACKAGES" "$RELEASE" "$root" ${mirror:+"$mirror"} >"$root.log" 2>&1 ||
        complain "debootstrap failed: $(tail -n 20 "$root.log")"
}

mount_kernel() {
    mount --bind "$root" "$root" # or its root could make no namespaces of mounts
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount --rbind /sys/fs/cgroup "$root/sys/fs/cgroup" # systemd, which judges our units, starts nowhere without it
    mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts "$root/dev/pts"
    ln -sf pts/ptmx "$root/dev/ptmx"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
    mkdir -p "$root/dev/net"
    mknod -m 0666 "$root/dev/net/tun" c 10 200
    mount -t tmpfs -o mode=0755 tmpfs "$root/run"
}

carry_settings() {
    for suite in "$RELEASE-updates" "$RELEASE-security"; do
        mirror="$(mirror_of "$suite")"
        [ -z "$mirror" ] || echo "deb $mirror $suite main" >>"$root/etc/apt/sources.list"
    done
    carry_network "$root"
    carry_certificates "$root"
    chroot "$root" update-ca-certificates >/dev/null 2>&1
    environment="$(carried_environment)"
}

make_user() {
    chroot "$root" useradd --create-home --shell /bin/bash "$USER_NAME"
    printf '%s\n' "$USER_NAME ALL=(ALL) NOPASSWD: ALL" 'Defaults env_keep += "http_proxy https_proxy no_proxy"' \
        >"$root/etc/sudoers.d/$USER_NAME"
    chmod 440 "$root/etc/sudoers.d/$USER_NAME"
    carry_pip ~/.config/pip/pip.conf "$root$HOME_FOLDER/.config/pip"
    for settings in /etc/npmrc ~/.npmrc; do
        [ ! -e "$settings" ] || grep -E '^(@[^:]+:)?registry|^(https?-|no)?proxy|^cafile|^strict-ssl' "$settings" || true
    done >"$root$HOME_FOLDER/.npmrc"
    git clone --quiet --no-hardlinks "$here" "$root$HOME_FOLDER/captains-table"
    chroot "$root" chown -R "$USER_NAME:" "$HOME_FOLDER"
}

# Runs a command as the user, in the clone, with nothing of this machine's environment but how it reaches the network.
as_user() {
    (
        IFS='
'
        set -f
        # shellcheck disable=SC2086 # one word for each of its lines
        exec chroot --userspec="$USER_NAME:$USER_NAME" "$root" /usr/bin/env -i HOME="$HOME_FOLDER" USER="$USER_NAME" \
            LANG=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin $environment \
            sh -c "cd $HOME_FOLDER/captains-table && $1"
    )
}

# --- the two commands

try_commands() {
    echo "As $USER_NAME, with $(as_user 'python3 --version'), at $(as_user 'git log -1 --format="%h, %s"'):"
    page=""
    tests=""
    try_play
    try_tests "${1:-make test}"
    echo
    echo "make play: $page"
    echo "${1:-make test}: $tests"
    case "$page$tests" in *FAILED*) exit 1 ;; esac
}

tenths() {
    echo $(($(date +%s%N) / 100000000))
}

# How many tenths of a second of the processor everything has taken that still runs here, its ended children too, without
# this script (process 1 of its namespace) and what it asked meanwhile.
processor_tenths() {
    hertz="$(getconf CLK_TCK)"
    cat "$root"/proc/[0-9]*/stat 2>/dev/null |
        sed -n 's/^\([0-9]*\) .*) /\1 /p' |
        awk -v hertz="$hertz" '$1 != 1 { ticks += $13 + $14 + $15 + $16 } END { print int(10 * ticks / hertz) }'
}

# Whether an address answers, asked with no proxy between.
answers() {
    chroot "$root" python3 -c '
import sys, urllib.request as web
sys.exit(web.build_opener(web.ProxyHandler({})).open(sys.argv[1], timeout=5).status != 200)' "$1" 2>/dev/null
}

try_play() {
    echo "make play ..."
    began="$(tenths)"
    as_user 'echo $$ >~/playing; exec make play' >"$root.play" 2>&1 &
    playing=$!
    while :; do
        took=$(($(tenths) - began))
        address="$(sed -n 's|.*\(http://127[^ ]*\).*|\1|p' "$root.play" | head -n 1)"
        if [ -n "$address" ] && answers "$address"; then
            used="$(processor_tenths)"
            page="HTTP 200 after $((used / 10)).$((used % 10)) s of the processor, $((took / 10)).$((took % 10)) s in all (load $(cut -d' ' -f1 /proc/loadavg) on $(nproc) cores)"
            [ "$used" -le $((PAGE_WITHIN_CPU_S * 10)) ] ||
                page="$page, FAILED: expected within $PAGE_WITHIN_CPU_S s of the processor"
            break
        fi
        if [ "$took" -gt $((GIVE_UP_S * 10)) ] || ! kill -0 "$playing" 2>/dev/null; then
            page="FAILED: no page"
            break
        fi
        sleep 0.1
    done
    cat "$root.play"
    kill "$(cat "$root$HOME_FOLDER/playing")" 2>/dev/null || true
    wait "$playing" || true
}

try_tests() {
    echo "$1 ..."
    began="$(tenths)"
    { as_user "$1" 2>&1 || echo "FAILED with status $?" >"$root.status"; } | tee "$root.tests"
    took=$((($(tenths) - began) / 10))
    tests="$(grep -E '^=+ .*(passed|failed|error).* in ' "$root.tests" | tail -n 1 | tr -d '=' | sed 's/^ *//')"
    tests="$tests($took s in all)"
    [ ! -e "$root.status" ] || tests="$tests $(cat "$root.status")"
    ! grep -qE '^=+ .*[0-9]+ skipped' "$root.tests" || tests="$tests FAILED: expected none to be skipped"
}

case "${1:-}" in
    --within)
        shift
        within "$@"
        ;;
    *) start "$@" ;;
esac
