# Core Location for Linux. `make fix` and `make test` set up all that they need.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build
export SWIFT_BACKTRACE := enable=no
# Without it Package.swift declares the library alone, as for a program that depends on it.
export LOCATION_PROGRAMS := 1

# SwiftPM orders the flags of a package's traits by their hashes: with other hashes in each run every source would be compiled again.
SWIFT_BUILD := SWIFT_DETERMINISTIC_HASHING=1 swift build --explicit-target-dependency-import-check error
# Swift's own runtime is in C++, whose libraries go in with it where there are archives of them: they are more than half a
# millisecond of every start. So do libsodium, libinih and libnl, which few starts need.
STATIC := $(CURDIR)/.build/static
# Packed, the places to be set at a start are a hundredth of their size, which would stay in memory; for glibc 2.36 and later.
PACKED := $(shell grep -aqs GLIBC_ABI_DT_RELR "$$(clang -print-file-name=libc.so.6)" && \
	echo -Xlinker -z -Xlinker pack-relative-relocs)
# Functions of the same code are one; see the linker script for what is left out.
SMALL := -Xlinker --icf=all -Xlinker --no-eh-frame-hdr -Xlinker -T -Xlinker $(CURDIR)/Sources/locationd/Packaging/unwind.ld
RELEASE := -c release -Xlinker -L$(STATIC) -Xlinker --no-export-dynamic $(SMALL) $(PACKED)
LOCATIONCTL := .build/release/locationctl
FUZZ_SECONDS ?= 5
UNIT_TESTS := GeodesyTests,WireFormatsTests,GNSSReceiverTests,FusionTests,PositioningTests,LocationPolicyTests,RegionsTests,LocationIPCTests,LocationReplayTests,TrackFormatsTests,DiagnosisTests,LocationdConfigurationTests,GPSDServerTests,NetworkSourcesTests,TimeServiceTests

.PHONY: fix test python tested ci check peers track-readers client-module dependency upgrade release release-try release-short test-build build module lint readme format fuzz tsan soak soak-tests soak-clients soak-fuzz soak-release bench conformance trip install install-files deb arm64 bench-vm \
	bench-vm-full packages-build packages-test packages-bench packages-conformance packages-deb

# One fix: from an attached receiver, else from a simulated one behind the real serial driver.
fix: packages-build build
	@.ci/fix $(LOCATIONCTL)

# Everything that can be tested on this machine.
test: packages-test module test-build
	.ci/test

test-build: packages-build
	$(SWIFT_BUILD) --build-tests

build: packages-build
	@mkdir -p $(STATIC) && ln -sfn "$$(clang -print-file-name=libstdc++.a)" $(STATIC)/libstdc++.a
	@echo "GROUP ( $$(clang -print-file-name=libgcc.a) $$(clang -print-file-name=libgcc_eh.a) )" >$(STATIC)/libgcc_s.so
	@for archive in libsodium libinih libnl-genl-3 libnl-3; do file="$$(clang -print-file-name=$$archive.a)"; \
		rm -f $(STATIC)/$$archive.a; [ ! -e "$$file" ] || ln -s "$$file" $(STATIC)/$$archive.a; done
	LOCATION_DEV=1 $(SWIFT_BUILD) $(RELEASE) --product locationctl
	ln -sfn locationctl .build/release/locationd

# The Python package against the daemon of the debug build.
python: packages-test test-build
	.ci/python

# The list of tested hardware, from the reports of `locationctl selftest` in Hardware/reports.
tested:
	@.ci/tested

# CoreLocation for programs outside: -I, -L and -lCoreLocation of .build/module are all that they need.
module: packages-build
	.ci/module .build/module

# The packages of a release, for Debian 12 and 13 on x86_64 and arm64, with an apt repository, in .build/repository. RELEASE_SUITES and
# RELEASE_ARCH select a part; PROJECT_URL is the project's address, RELEASE_KEY signs: see Release/README.md.
release: packages-build
	Release/run

# The release that was made, installed in clean roots of Debian, upgraded, removed and purged.
release-try:
	.ci/as-root Release/try full

# What CI does of it: Debian 12 on x86_64, with a key for tests.
release-short: packages-build
	Release/short

# Release 0.1.0, installed with its own package, becomes this one.
upgrade: packages-build
	Release/upgrade

# Every part runs, also after one that failed; minutes per part at the end.
ci:
	.ci/parts lint packages-test module test-build -- test python -- fuzz tsan trip readme conformance

# For a contributor, before each push: the linter, and the tests of everything that is pure.
check: packages-build lint
	LOCATION_TESTS=$(UNIT_TESTS) $(SWIFT_BUILD) --build-tests
	.ci/test

lint:
	swift format lint --strict --recursive Sources Tests Package.swift
	.ci/lint

# Every command of the documents does what it says.
readme: packages-build
	@.ci/packages python3
	.ci/readme

format:
	swift format --in-place --recursive Sources Tests Package.swift

# libFuzzer with the address sanitizer; a finding is kept under .build-fuzz/.
fuzz: packages-build
	.ci/fuzz $(FUZZ_SECONDS)

tsan: packages-test
	.ci/tsan

# The long form of what CI does briefly. SOAK_FUZZ_SECONDS is the time of each fuzz target: 1800 before a release that changes a parser.
SOAK_FUZZ_SECONDS ?= 180
soak: packages-test
	.ci/parts peers soak-tests soak-clients soak-fuzz soak-release

# A recorded half hour at its own pace, a logger that is killed a thousand times, ten thousand clients whose number is given to
# another, 200 clients of hostile users, injected faults for the self-test.
soak-tests: packages-test test-build
	LOCATION_SOAK=1 .ci/test RecordedDriveTests KilledLoggerTests NumberReuseTests HostileUserTests SelftestFaultTests

# Ten minutes of a daemon, built with the thread sanitizer, among clients that misbehave.
soak-clients: packages-test
	LOCATION_CHAOS_SECONDS=600 .ci/tsan

soak-fuzz: packages-build
	.ci/fuzz $(SOAK_FUZZ_SECONDS)

# Every package of a release in clean roots of Debian, built twice and compared.
soak-release: packages-build
	Release/test-key .build/test-key && RELEASE_KEY=.build/test-key $(MAKE) release release-try
	Release/tests/reproducible
	.ci/as-root Release/tests/piuparts

# What takes longer to install or to build than to test: the package in a virtual machine, the upgrade from 0.1.0, CoreLocation without
# its traits, and programs that depend on the package.
peers:
	.ci/parts track-readers client-module dependency release-short upgrade bench-vm

# GDAL, which QGIS reads files with, takes longer to install than its tests take.
track-readers: packages-test test-build
	@.ci/packages gdal-bin
	.ci/test GDALTests ReplayedLogTests

client-module: packages-test test-build
	LOCATION_PEERS=1 .ci/test ClientModuleTests

dependency: packages-test test-build
	LOCATION_PEERS=1 .ci/test DependencyTests

# The figures of Documentation/Benchmarks.md, measured here and now.
bench: packages-bench
	.ci/bench

# gpsd's recorded receivers, epoch by epoch beside what gpsd says of them; 77: another version than the one that is known.
conformance: packages-conformance
	@.ci/conformance || [ $$? = 77 ]

# Two weeks of logging in virtual time, with all that happens to a car, its receiver, its clock and its power.
trip: packages-build
	@.ci/trip

PREFIX ?= /usr/local
DESTDIR ?=

# As root: programs, units, rules for udev, manual pages; PREFIX and DESTDIR as usual.
install: build install-files
	@[ -n "$(DESTDIR)" ] || echo "Now, as root: systemd-sysusers; systemctl daemon-reload; systemd-hwdb update; udevadm control --reload;" \
		"systemctl enable --now locationd.socket location-scan.socket location-fetch.socket location-time.socket location-agents.path location-agents.service"

install-files:
	Sources/locationd/Packaging/install-files "$(DESTDIR)" "$(PREFIX)" $(LIBRARIES)

# The Debian package of this machine's release, in .build/deb/.
deb: build packages-deb
	Sources/locationd/Packaging/make-deb .build/deb

# The Debian package for Raspberry Pi OS 64-bit, built on x86_64 and tried under an emulator; see Hardware/README.md.
arm64:
	Hardware/arm64/run

# The package in a virtual machine with USB receivers of our own making: CI's scenarios, or all of them.
bench-vm:
	Hardware/bench/run ci

bench-vm-full:
	Hardware/bench/run full

packages-deb:
	@.ci/packages dpkg-dev debhelper lintian

packages-build:
	@.ci/packages libudev-dev libnl-genl-3-dev libsqlite3-dev libsodium-dev libinih-dev

packages-test:
	@.ci/packages libudev-dev libnl-genl-3-dev libsqlite3-dev libsodium-dev libinih-dev libgps-dev libumockdev-dev umockdev libxml2-utils \
		python3-venv strace gpsbabel libimage-exiftool-perl proj-data binutils \
		libnotify-bin dbus python3-dbus python3-gi desktop-file-utils curl python3-prometheus-client geographiclib-tools chrony
	@.ci/gpsd
	@.ci/pyubx2
	@.ci/pyte
	@.ci/pytools

packages-bench:
	@.ci/packages libudev-dev libnl-genl-3-dev libsqlite3-dev libsodium-dev libinih-dev gpsd-clients python3 umockdev
	@.ci/gpsd

packages-conformance:
	@.ci/packages libudev-dev libnl-genl-3-dev libsqlite3-dev libsodium-dev libinih-dev xz-utils
