#!/bin/sh
# The browser tests drive Debian's Chromium; install it where it is missing.
set -eu
if command -v chromium >/dev/null 2>&1; then
    exit 0
fi
packages="chromium fonts-dejavu-core"
if [ "$(id -u)" -eq 0 ]; then
    run=""
elif command -v sudo >/dev/null 2>&1; then
    run="sudo"
else
    echo "The browser tests need the Debian packages: $packages" >&2
    echo "This is not root and there is no sudo: install them as root, then run 'make test' again." >&2
    exit 1
fi
$run apt-get update -qq
$run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages
