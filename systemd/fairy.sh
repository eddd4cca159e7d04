#!/bin/sh
# Builds Fairy-Stockfish for boards of nine files from the sources in the Python package pyffish (GPL-3):
# `make fairy` and `make install ENGINE=1` call this. Debian's build crashes on 9x8 positions.
#   fairy.sh PYTHON ENGINE    the Python whose pip fetches the sources, and the path of the program to build
# It takes a minute on one core of a desktop computer, about ten on a Pi's; the program has 1.5 MB.
set -eu
SOURCES='pyffish==0.0.90'
FLAGS='-std=c++17 -O3 -DNDEBUG -DLARGEBOARDS -DPRECOMPUTED_MAGICS -DNNUE_EMBEDDING_OFF'
PEAK_KB=400000 # the most memory that one compiler uses

complain() {
    printf 'captains-table: %s\n' "$1" >&2
    exit 1
}

[ $# -eq 2 ] || complain "expected a Python and the program to make: run 'make fairy'"
python="$1"
case "$2" in
/*) engine="$2" ;;
*) engine="$PWD/$2" ;;
esac
compiler="$(command -v c++ || command -v g++ || command -v clang++)" ||
    complain "no C++ compiler is here: install Debian's package g++"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

"$python" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary pyffish --dest "$work" "$SOURCES" ||
    complain "pip could not fetch the sources of $SOURCES"
tar -xzf "$work"/pyffish-*.tar.gz -C "$work"
cd "$work"/pyffish-*/src
[ "$(getconf LONG_BIT)" != 64 ] || FLAGS="$FLAGS -DIS_64BIT"

# One compiler per core, but no more than the memory allows.
at_once="$(nproc 2>/dev/null || echo 1)"
free_kb="$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo 2>/dev/null || true)"
room=$((${free_kb:-$PEAK_KB} / PEAK_KB))
[ "$room" -ge "$at_once" ] || at_once="$((room > 1 ? room : 1))"

# All sources except the bindings for Python and JavaScript.
find . -name '*.cpp' ! -name pyffish.cpp ! -name ffishjs.cpp >sources
# shellcheck disable=SC2016 # the shells that xargs starts expand these; FLAGS is several words
xargs -P "$at_once" -n 1 sh -c '"$0" $1 -c "$2" -o "$(printf %s "${2#./}" | tr / _).o"' "$compiler" "$FLAGS" <sources ||
    complain "the compiler failed: what it said is above"
"$compiler" ./*.o -lpthread -o fairy-stockfish
mkdir -p "$(dirname "$engine")"
cp fairy-stockfish "$engine.new"
chmod 755 "$engine.new"
mv "$engine.new" "$engine"
