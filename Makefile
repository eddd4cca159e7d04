# Every command a developer or player needs. `make play` and `make test` install what they need themselves.
PYTHON ?= python3
VENV := .venv
# Bytecode is kept, or every process of the hundreds that the tests start would compile the program again.
export PYTHONDONTWRITEBYTECODE :=
BIN := $(VENV)/bin
PACKAGED := pyproject.toml $(wildcard hardware/profiles/*.toml)

# The plug-ins of the tests lie here and on the path of the tests alone: `make play` offers no game that nobody asked for.
PLUGINS := $(VENV)/plugins

# Outside the package, and gone with `make clean`: a program of its own, which the table only speaks to.
FAIRY := $(BIN)/fairy-stockfish

.PHONY: play test suite quick check suite-time bench prove siege ladder long tables train weight messages release-check electrics field printing screenshots wiring case parts fairy flash uf2 emulate strip install uninstall club club-load install-club uninstall-club join-club clean

$(BIN)/captains-table: $(PACKAGED)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/dev: $(PACKAGED) tests/plugins/pig/pyproject.toml $(BIN)/captains-table
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,pi]'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --upgrade --target $(PLUGINS) tests/plugins/pig
	@touch $@

play: $(BIN)/captains-table
	$(BIN)/captains-table play $(ARGS)

# A club's evening on this machine: Mosquitto (Debian's), the server, and twelve tables at play (ARGS="--tables 4").
club: $(VENV)/club
	$(BIN)/python -m tests.clubroom $(ARGS)

# A club under 500 tables for ten minutes: what is lost, how late the wall is, what each program takes (ARGS="--bridged", "--nats").
club-load: $(VENV)/dev
	$(BIN)/python -m tests.club_load $(ARGS)

$(VENV)/club: $(PACKAGED) $(BIN)/captains-table
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[club]'
	@touch $@

# Four workers on two cores: some tests wait for most of their time, for a button held or a line that is down. A worker takes
# whole files, so that what a file starts is started once, in the order of tests/conftest.py. An ordinary user's tests of root's
# actions run by sudo.
BY_FILE := --dist loadfile --no-loadscope-reorder
test: $(VENV)/dev
	sh tests/install-tools.sh
	$(MAKE) fairy
	$(MAKE) --jobs=2 check suite
	[ "$$(id -u)" -eq 0 ] || sudo env PYTHONDONTWRITEBYTECODE=1 $(BIN)/pytest -p no:cacheprovider -m root

# mypy, which uses one core, goes on beside them. The tests call make themselves, and not as a part of this one.
suite: $(VENV)/dev
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL $(BIN)/pytest -n 4 $(BY_FILE)

# For everyday work: all checks, and one test at least of what each module promises, none of which takes long. It leaves out
# browsers, the command itself, the built engine, the board's firmware, installations, what the outside relies on
# (tests/outward), and the long random matches.
quick: $(VENV)/dev
	sh tests/install-tools.sh
	$(MAKE) check
	$(BIN)/pytest -n 3 $(BY_FILE) -m "not slow and not long"

# The random tests at length: what `make test` plays a little of.
long: $(VENV)/dev
	CAPTAINS_TABLE_LONG=1 $(BIN)/pytest -n 2 -m long $(ARGS)

check: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# Processor seconds that the tests of each folder take, next to their allowance (ARGS="tests/club" for some of them).
suite-time: $(VENV)/dev
	$(BIN)/pytest -n 4 $(BY_FILE) -p tests.suite_time $(ARGS)

# How much code there is, in how many modules (ARGS="tests/support" for another folder).
weight: $(VENV)/dev
	$(BIN)/python -m tests.weight $(ARGS)

# Brings the catalogues of all languages up to date, and says what is missing in each (ARGS="--new pt" begins one).
messages: $(VENV)/dev
	$(BIN)/python -m tests.languages $(ARGS)

# What a release asks for beside `make test`: every language is whole.
release-check: $(VENV)/dev
	$(BIN)/python -m tests.languages --check --all

bench: $(VENV)/dev
	$(BIN)/python -m tests.bench

prove siege ladder: export PYTHONPATH := $(CURDIR)/tests/plugins/pig:$(CURDIR)/$(PLUGINS)
prove: $(VENV)/dev
	$(BIN)/python -m tests.prove $(ARGS)

# The campaign: an hour of kills, faults, malformed requests and spoiled inputs (ARGS="--small" for a minute of it).
siege: $(VENV)/dev
	sh tests/install-tools.sh
	$(BIN)/python -m tests.siege $(ARGS)

# How strong Aether's levels are: hours of it, and it goes on where it was stopped (ARGS="--only 2v1 --games 40" for a part).
ladder: $(VENV)/dev
	$(BIN)/python -m tests.ladder $(ARGS)

tables: $(VENV)/dev
	$(BIN)/python -m captains_table.players.swashbuckle.solver

train: $(VENV)/dev
	$(BIN)/python -m tests.training $(ARGS)

# The tables of docs/electrics.md: levels and currents of the switches by ngspice, with every fault of a diode.
electrics: $(VENV)/dev
	sh tests/install-tools.sh
	$(BIN)/python -m tests.electrics

# The pictures of the documentation (ARGS="build/screens": every screen at three sizes in both themes instead, to be looked at).
screenshots: $(VENV)/dev
	sh tests/install-tools.sh
	$(BIN)/python -m tests.e2e.screenshots $(ARGS)

# How surely the reeds close and stay open, by a model of the field; writes hardware/pictures/field.svg (ARGS="--search": what else was tried).
field: $(VENV)/dev
	$(BIN)/python -m tests.field $(ARGS)

# Plastic and hours that the case takes, estimated from the volumes of its parts.
printing: $(VENV)/dev
	sh tests/install-tools.sh
	$(BIN)/python -m tests.printing

wiring: $(VENV)/dev
	sh tests/install-tools.sh
	for profile in hardware/wiring/*.yml; do $(BIN)/captains-table wiring $$(basename $$profile .yml) --out hardware/wiring; done

# The case: drawings and drilling templates, and the guide's pictures, which need a screen (Debian's xvfb stands in for one).
case: $(VENV)/dev
	sh tests/install-tools.sh
	$(BIN)/python -m hardware.case drawings
	$(BIN)/python -m hardware.case pictures

# What is printed for a build, as STL in hardware/case/parts: some minutes (ARGS="-D computer=zero-2" for other choices).
parts: export override PROFILE := $(value PROFILE)
parts: $(BIN)/captains-table
	$(BIN)/python -m hardware.case parts $(if $(PROFILE),"$$PROFILE") $(ARGS)

# An engine for Captain's Chess, built from the sources that pip fetches: a minute of one core, once.
fairy: $(FAIRY)
	@echo 'To play against it: make play ARGS="--engine $(FAIRY)"; or in the configuration under [table]: engine = "$(abspath $(FAIRY))"'

$(FAIRY): systemd/fairy.sh | $(BIN)/captains-table
	sh systemd/fairy.sh $(BIN)/python $@

# As they are given, to the environment: neither make nor a shell reads a path in which there is a $, a blank or a quote.
install uninstall install-club uninstall-club: export override DESTDIR := $(value DESTDIR)
install flash uf2 emulate: export override PROFILE := $(value PROFILE)
install install-club: export override SYSTEM_PYTHON := $(value SYSTEM_PYTHON)
install-club: export override TABLES := $(value TABLES)
install-club: export override HOST := $(value HOST)
join-club: export override TABLE := $(value TABLE)
install: export override ENGINE := $(value ENGINE)
install: export override YES := $(value YES)

install:
	sh systemd/install.sh install

uninstall:
	sh systemd/install.sh uninstall

# This computer becomes the club's: broker, server, wall (TABLES=12 HOST=club.local); and a table joins one (TABLE=FOLDER).
install-club:
	sh systemd/install-club.sh install

uninstall-club:
	sh systemd/install-club.sh uninstall

join-club:
	sh systemd/install-club.sh join

$(VENV)/flash: $(PACKAGED) $(BIN)/captains-table
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[flash]'
	@touch $@

flash: $(VENV)/flash
	$(BIN)/python -m firmware.flash $(if $(PROFILE),--profile="$$PROFILE") $(ARGS)

# MicroPython, firmware and settings as one file, from Debian's sources: some minutes of one core at the first time.
uf2: $(VENV)/flash
	$(BIN)/python -m firmware.uf2 $(if $(PROFILE),--profile="$$PROFILE") $(ARGS)

# That file on an emulated RP2040: some minutes.
emulate: $(VENV)/dev
	$(BIN)/python -m firmware.uf2 --profile="$${PROFILE:-pico-8x8}" --out build/emulated.uf2
	$(BIN)/python -m tests.emulated build/emulated.uf2 --profile="$${PROFILE:-pico-8x8}"

# The board of a strip of squares, judged by KiCad's rules (Debian: kicad); what a maker asks for is put into build/strip.
strip: $(VENV)/dev
	$(BIN)/python -m hardware.strip
	/usr/bin/python3 hardware/strip/judge.py hardware/strip/strip-4.kicad_pcb build/strip

clean:
	rm -rf $(VENV) build dist hardware/case/parts .mypy_cache .pytest_cache .ruff_cache tests/firmware/node_modules
