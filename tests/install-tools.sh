#!/bin/sh
# The tests drive Debian's Chromium, draw with Graphviz and ask systemd about our units; install what is missing.
set -eu
packages=""
command -v chromium >/dev/null 2>&1 || packages="$packages chromium fonts-dejavu-core"
command -v dot >/dev/null 2>&1 || packages="$packages graphviz"
command -v systemd-analyze >/dev/null 2>&1 || packages="$packages systemd"
if [ -z "$packages" ]; then
    exit 0
fi
if [ "$(id -u)" -eq 0 ]; then
    run=""
elif command -v sudo >/dev/null 2>&1; then
    run="sudo"
else
    echo "The tests need the Debian packages:$packages" >&2
    echo "This is not root and there is no sudo: install them as root, then run 'make test' again." >&2
    exit 1
fi
$run apt-get update -qq
$run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages
