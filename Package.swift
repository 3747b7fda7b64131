// swift-tools-version: 6.2
import PackageDescription

/// Set by `make` and `.ci`: fuzz targets, benchmarks, their C helpers, and programs that are linked with Swift's
/// runtime statically. They need flags that are not allowed in a dependency.
let isDevelopment = Context.environment["LOCATION_DEV"] == "1"

/// Set by `make` and `.ci`, which build this checkout: `locationctl`, `locationd` and the tests. A program that depends
/// on this package gets only the library; it does not fetch dependencies that only these products need, and its own
/// targets may have the same names as these.
let hasPrograms = isDevelopment || Context.environment["LOCATION_PROGRAMS"] == "1"

/// `make module`: CoreLocation with library evolution, so that a program that is built elsewhere needs only the module
/// CoreLocation, without the modules from which it is built. These flags are not allowed in a dependency either.
let isModule = Context.environment["LOCATION_MODULE"] == "1"

/// Pure targets whose tests compute for longer than the optimizer takes: they are optimized in debug builds too.
let optimized: Set = [
  "Geodesy", "WireFormats", "GNSSReceiver", "Fusion", "HeadingSources", "TrackFormats", "GPSDServer", "TimeService",
  "PlacesCore", "PlacesStore", "PlacesImport", "MapDrawing",
]

/// Targets that run once per command or per start, or a few times per second: releases take the smaller code.
let small: Set = [
  "locationctl", "Diagnosis", "LinuxDevices", "LocationdConfiguration", "LocationdConfigurationFiles",
  "LocationdRecords", "LocationdServer", "TrackFormats",
]

let package = Package(
  name: "swift-corelocation",
  products: [
    .library(name: "CoreLocation", type: .dynamic, targets: ["CoreLocation"]),
    // Only programs that use it need libcairo2-dev.
    .library(name: "MapSnapshot", targets: ["MapSnapshot"]),
  ],
  traits: [
    .default(enabledTraits: ["Embedded", "GPSD", "Places"]),
    .trait(
      name: "Embedded",
      description: "CoreLocation hosts the service in its program where no locationd answers; needs "
        + "libudev-dev, libnl-genl-3-dev, libsqlite3-dev, libsodium-dev and libinih-dev."),
    .trait(
      name: "GPSD",
      description: "Read receivers that gpsd owns through gpsd, with the libgps that is installed with it."),
    .trait(
      name: "Places",
      description:
        "CLGeocoder answers from the data of places on this machine; without this trait it fails as without a network."),
  ],
  targets: [
    // Edge: descriptors, C, `unsafe`.
    .target(name: "CLinux"),
    .target(
      name: "CGPSD", cSettings: [.define("GPSD", .when(traits: ["GPSD"]))]),
    .target(name: "CCurl"),
    // Without `pkgConfig`: SwiftPM would warn about a missing package even if a trait disables the library.
    .systemLibrary(name: "CUdev"),
    .systemLibrary(name: "CNetlink"),
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CSodium"),
    .systemLibrary(name: "CINI"),
    .systemLibrary(name: "CCairo"),
    .target(
      name: "LinuxIO", dependencies: ["CLinux", "Geodesy"], cSettings: [.define("_GNU_SOURCE")]),
    .target(
      name: "LinuxDevices",
      dependencies: [
        "LinuxIO", "CUdev", "CNetlink", "CGPSD", "CCurl", "Diagnosis", "Fleet", "FleetDestinations", "NetworkSources",
        "Positioning",
        "TimeService",
        "WireFormats",
        "Geodesy",
      ], linkerSettings: [.linkedLibrary("udev"), .linkedLibrary("nl-genl-3"), .linkedLibrary("nl-3")]),
    .target(
      name: "LocationDatabase", dependencies: ["LinuxIO", "CSQLite"], linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "LocationStore",
      dependencies: [
        "LocationDatabase", "LinuxIO", "CSodium", "Fleet", "FleetDestinations", "LocationPolicy", "Positioning",
        "Regions", "WireFormats",
        "Geodesy",
      ], linkerSettings: [.linkedLibrary("sodium")]),
    // The streets, addresses and areas of an imported extract of OpenStreetMap.
    .target(name: "PlacesStore", dependencies: ["PlacesCore", "LocationDatabase", "LinuxIO", "Geodesy"]),

    // Pure: no Foundation, no C, no I/O, no clock.
    .target(name: "Geodesy"),
    .target(name: "WireFormats", dependencies: ["Geodesy"]),
    .target(name: "GNSSReceiver", dependencies: ["WireFormats", "Geodesy"]),
    .target(name: "Positioning", dependencies: ["WireFormats", "Geodesy"]),
    .target(name: "Fusion", dependencies: ["Geodesy"]),
    .target(name: "HeadingSources", dependencies: ["Geodesy"]),
    .target(name: "Beacons", dependencies: ["Geodesy"]),
    .target(name: "LocationPolicy", dependencies: ["Fusion", "Regions", "Geodesy"]),
    .target(name: "Regions", dependencies: ["WireFormats", "Geodesy"]),
    // Receivers and corrections from networks: addresses, NTRIP, reconnection.
    .target(name: "NetworkSources", dependencies: ["WireFormats", "Geodesy"]),
    // Destinations to which positions are sent, as values: their settings, their state, and requests about them.
    .target(name: "FleetDestinations", dependencies: ["NetworkSources", "LocationPolicy", "Regions", "Geodesy"]),
    // What is sent to them: payloads, the outbox, and the messages to the helper that has the network.
    .target(
      name: "Fleet",
      dependencies: [
        "FleetDestinations", "NetworkSources", "TrackFormats", "LocationPolicy", "Regions", "WireFormats", "Geodesy",
      ]),
    .target(name: "Diagnosis", dependencies: ["FleetDestinations", "WireFormats", "LocationIPC", "Geodesy"]),
    .target(
      name: "LocationIPC",
      dependencies: [
        "FleetDestinations", "LocationPolicy", "PlacesCore", "Positioning", "Regions", "WireFormats", "Geodesy",
      ]),
    .target(name: "LocationReplay", dependencies: ["GNSSReceiver", "WireFormats", "Geodesy"]),
    .target(name: "TimeService", dependencies: ["WireFormats", "Geodesy"]),
    // Towns, countries, time zones; queries for addresses and their answers.
    .target(name: "PlacesCore", dependencies: ["Positioning", "WireFormats", "Geodesy"]),
    .target(name: "TrackFormats", dependencies: ["LocationPolicy", "Regions", "WireFormats", "Geodesy"]),
    // Edge: the files of the world's towns and time zones.
    .target(name: "PlacesData", dependencies: ["PlacesCore", "LinuxIO", "Geodesy"]),
    // Pictures of maps: what they show, their projection and their layout; and drawn with cairo.
    .target(name: "MapDrawing", dependencies: ["Geodesy"]),
    .target(
      name: "MapSnapshot", dependencies: ["MapDrawing", "CCairo"], linkerSettings: [.linkedLibrary("cairo")]),
    // The server's side of gpsd's protocol and of NMEA 0183.
    .target(
      name: "GPSDServer", dependencies: ["TrackFormats", "LocationIPC", "WireFormats", "Geodesy"]),
    // The service without I/O: which receivers are open and for which clients, and what each client may receive.
    .target(
      name: "LocationdService",
      dependencies: [
        "GNSSReceiver", "Fusion", "FleetDestinations", "NetworkSources", "PlacesCore", "Positioning", "LocationPolicy",
        "LocationIPC",
        "WireFormats", "Geodesy",
      ]),

    // The settings of the service: their keys, defaults, precedence and problems.
    .target(
      name: "LocationdConfiguration",
      dependencies: ["LocationdService", "NetworkSources", "PlacesCore", "Positioning", "TimeService"]),
    // Edge: the files that contain the settings.
    .target(
      name: "LocationdConfigurationFiles", dependencies: ["LocationdConfiguration", "LinuxIO", "CINI"],
      linkerSettings: [.linkedLibrary("inih")]),

    // Shell and client.
    .target(
      name: "LocationdClient", dependencies: ["LocationIPC", "LocationPolicy", "LinuxIO", "Geodesy"]),
    // One epoll loop: ports, gpsd, recordings, the radio for Wi-Fi.
    .target(
      name: "LocationdHost",
      dependencies: [
        "LocationdService", "LocationdClient", "LinuxDevices", "LinuxIO", "LocationStore", "LocationDatabase",
        "LocationReplay",
        "NetworkSources", "Diagnosis", "GNSSReceiver", "GPSDServer", "Positioning", "LocationPolicy", "LocationIPC",
        "TimeService", "WireFormats",
        "Geodesy",
      ]),
    // Stored data, with threads of its own: logs, monitoring, the delivery of events.
    .target(
      name: "LocationdRecords",
      dependencies: [
        "LocationdService", "Fleet", "FleetDestinations", "LinuxDevices", "LinuxIO", "LocationStore",
        "LocationDatabase", "LocationPolicy",
        "LocationIPC",
        "Positioning", "Regions", "TrackFormats", "WireFormats", "Geodesy",
      ]),
    // The complete service, for clients at its socket and in its own process; and the daemon, from its arguments to its
    // exit status, which `locationctl` runs under the name `locationd`.
    .target(
      name: "LocationdServer",
      dependencies: [
        "LocationdHost", "LocationdRecords", "LocationdService", "LocationdClient", "LocationdConfiguration",
        "LocationdConfigurationFiles", "LinuxDevices", "LinuxIO", "LocationStore", "LocationDatabase", "NetworkSources",
        "Diagnosis",
        "Positioning", "LocationPolicy", "LocationIPC", "LocationReplay", "Regions", "TimeService", "Fleet",
        "FleetDestinations", "Geodesy",
      ]),
    // Apple's API: enumerations and the coordinate in C, the rest in Swift with the full Foundation.
    .target(name: "CCoreLocation"),
    .target(
      name: "CoreLocation",
      dependencies: [
        "CCoreLocation", "Geodesy", "Regions", "LocationPolicy", "LocationIPC", "LocationdClient", "LinuxIO",
        .target(name: "PlacesCore", condition: .when(traits: ["Places"])),
        .target(name: "PlacesData", condition: .when(traits: ["Places"])),
        .target(name: "PlacesStore", condition: .when(traits: ["Places"])),
        .target(name: "LocationdServer", condition: .when(traits: ["Embedded"])),
        .target(name: "LocationdHost", condition: .when(traits: ["Embedded"])),
        .target(name: "LocationdService", condition: .when(traits: ["Embedded"])),
        .target(name: "LocationdConfiguration", condition: .when(traits: ["Embedded"])),
        .target(name: "LocationdConfigurationFiles", condition: .when(traits: ["Embedded"])),
      ]),
  ],
  cxxLanguageStandard: .cxx17
)

if hasPrograms {
  package.products += [
    .executable(name: "locationctl", targets: ["locationctl"]),
    .executable(name: "locationd", targets: ["locationd"]),
    .executable(name: "locationctl-places", targets: ["locationctl-places"]),
    .executable(name: "locationctl-map", targets: ["locationctl-map"]),
    .executable(name: "locationd-geoclue", targets: ["locationd-geoclue"]),
  ]
  package.dependencies = [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ]
  package.targets += [
    // D-Bus, by sd-bus of libsystemd, which is loaded by programs that use it; and GeoClue's names on the bus.
    .target(name: "CSystemd"),
    .target(name: "BusMessages"),
    .target(name: "SystemBus", dependencies: ["CSystemd", "BusMessages"]),
    .target(
      name: "GeoClueBridge", dependencies: ["BusMessages", "LocationPolicy", "Geodesy"]),
    .executableTarget(
      name: "locationd-geoclue",
      dependencies: [
        "GeoClueBridge", "SystemBus", "BusMessages", "LocationdClient", "LocationIPC", "LocationPolicy", "LinuxIO",
        "Geodesy",
      ]),
    // libosmium reads extracts of OpenStreetMap: C++ templates, in a program of its own that no library product reaches.
    .target(
      name: "COsmium",
      cxxSettings: [
        .unsafeFlags(["-O2", "-fexceptions"]), .define("OSMIUM_WITH_LZ4"),
        // glibc's checks of buffers; the input is hostile.
        .define("_FORTIFY_SOURCE", to: "2"),
      ], linkerSettings: [.linkedLibrary("z"), .linkedLibrary("lz4"), .linkedLibrary("stdc++")]),
    // Vector tiles of an extract: encoded with protozero, compressed with zlib.
    .target(
      name: "CMapTiles",
      cxxSettings: [.unsafeFlags(["-O2", "-fexceptions"]), .define("_FORTIFY_SOURCE", to: "2")],
      linkerSettings: [.linkedLibrary("z"), .linkedLibrary("stdc++")]),
    .target(
      name: "PlacesImport",
      dependencies: ["COsmium", "CMapTiles", "PlacesStore", "PlacesCore", "LocationDatabase", "LinuxIO", "Geodesy"]),
    .executableTarget(
      name: "locationctl-places",
      dependencies: ["PlacesImport", "PlacesStore", "PlacesCore", "LocationStore", "LinuxIO", "Geodesy"]),
    // The map: requests and answers without I/O, a server at 127.0.0.1 by libmicrohttpd, and the program with the page.
    .target(
      name: "MapServing",
      dependencies: [
        "MapDrawing", "LocationIPC", "LocationPolicy", "Regions", "TrackFormats", "WireFormats", "Geodesy",
      ]),
    // Files of tiles: PMTiles and MBTiles.
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(
      name: "MapTiles",
      dependencies: ["CZlib", "MapServing", "MapDrawing", "PlacesStore", "LocationDatabase", "LinuxIO", "Geodesy"]),
    .target(name: "CMicroHTTPD", linkerSettings: [.linkedLibrary("microhttpd")]),
    // The map in the local network: its certificate by GnuTLS, this machine's addresses, and a QR code by libqrencode.
    .target(name: "CMapShare", linkerSettings: [.linkedLibrary("gnutls"), .linkedLibrary("qrencode")]),
    .target(name: "MapShare", dependencies: ["CMapShare", "LinuxIO"]),
    // An image on a terminal, by libchafa.
    .target(name: "CChafa"),
    .target(name: "TerminalPicture", dependencies: ["CChafa"]),
    .target(name: "LocalHTTP", dependencies: ["CMicroHTTPD", "MapServing", "LinuxIO", "Geodesy"]),
    .executableTarget(
      name: "locationctl-map",
      dependencies: [
        "LocalHTTP", "MapServing", "MapShare", "MapTiles", "MapSnapshot", "MapDrawing", "TerminalPicture",
        "LocationdClient",
        "LocationIPC", "LocationPolicy", "PlacesData", "PlacesStore", "PlacesCore", "Regions", "TrackFormats",
        "LinuxIO", "Geodesy",
      ], exclude: ["Web"]),
    .executableTarget(
      name: "locationd", dependencies: ["LocationdServer", "LinuxIO"], exclude: ["Packaging"]),
    // Replaces parts of Swift's runtime that the programs of a release do not use, and that would make each start slower.
    .target(name: "CSwiftRuntime", cSettings: [.define("RELEASE_PROGRAM", .when(configuration: .release))]),
    .executableTarget(
      name: "locationctl",
      dependencies: [
        "CSwiftRuntime",
        "Geodesy", "LocationPolicy", "LocationIPC", "LocationStore", "LocationdServer", "LocationdRecords",
        "LocationdHost", "LocationdService", "LocationdClient", "LocationdConfiguration",
        "LocationdConfigurationFiles", "Diagnosis", "Regions", "TrackFormats", "LinuxIO", "Fusion", "GNSSReceiver",
        "Positioning", "LocationReplay", "WireFormats", "GPSDServer", "NetworkSources", "TimeService", "PlacesCore",
        "Fleet", "FleetDestinations",
        "PlacesData",
        "PlacesStore",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),

    .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
    .target(
      name: "TestSupport",
      dependencies: ["LocationPolicy", "Positioning", "Fusion", "Regions", "LocationReplay", "WireFormats", "Geodesy"],
      path: "Tests/TestSupport"),
    .testTarget(name: "BeaconsTests", dependencies: ["Beacons", "Geodesy", "TestSupport"]),
    .testTarget(
      name: "HeadingTests", dependencies: ["HeadingSources", "Geodesy", "CAllocationCounter", "TestSupport"]),
    .testTarget(name: "GeodesyTests", dependencies: ["Geodesy", "CAllocationCounter"]),
    .testTarget(
      name: "WireFormatsTests", dependencies: ["WireFormats", "Geodesy", "CAllocationCounter", "TestSupport"]),
    .testTarget(
      name: "GNSSReceiverTests",
      dependencies: ["GNSSReceiver", "WireFormats", "LocationReplay", "Geodesy", "TestSupport"]),
    .testTarget(
      name: "LocationIPCTests",
      dependencies: [
        "LocationIPC", "FleetDestinations", "LocationPolicy", "PlacesCore", "Positioning", "Regions", "WireFormats",
        "Geodesy",
        "TestSupport",
      ]),
    .testTarget(
      name: "GPSDServerTests",
      dependencies: ["GPSDServer", "TrackFormats", "LocationIPC", "WireFormats", "Geodesy", "CAllocationCounter"]),
    .testTarget(
      name: "FusionTests", dependencies: ["Fusion", "LocationReplay", "Geodesy", "CAllocationCounter", "TestSupport"]),
    .testTarget(
      name: "PositioningTests",
      dependencies: ["Positioning", "LocationReplay", "WireFormats", "Geodesy", "TestSupport"]),
    .testTarget(name: "LocationPolicyTests", dependencies: ["LocationPolicy", "Regions", "Geodesy", "TestSupport"]),
    .testTarget(
      name: "RegionsTests",
      dependencies: ["Regions", "LocationReplay", "Fusion", "WireFormats", "Geodesy", "TestSupport"]),
    .testTarget(
      name: "LocationReplayTests", dependencies: ["LocationReplay", "WireFormats", "Geodesy", "TestSupport"]),
    .testTarget(
      name: "LocationdConfigurationTests",
      dependencies: ["LocationdConfiguration", "LocationdConfigurationFiles", "LocationdService", "TestSupport"]),
    .testTarget(
      name: "NetworkSourcesTests", dependencies: ["NetworkSources", "WireFormats", "Geodesy", "TestSupport"]),
    .testTarget(
      name: "FleetTests",
      dependencies: [
        "Fleet", "FleetDestinations", "NetworkSources", "TrackFormats", "LocationPolicy", "Regions", "WireFormats",
        "Geodesy", "TestSupport",
      ]),
    .testTarget(
      name: "TimeServiceTests",
      dependencies: ["TimeService", "WireFormats", "Geodesy", "CAllocationCounter", "TestSupport"]),
    .testTarget(
      name: "PlacesStoreTests",
      dependencies: [
        "PlacesStore", "PlacesImport", "PlacesSurvey", "PlacesCore", "MapTiles", "MapServing", "MapDrawing",
        "LocationDatabase", "LinuxIO", "Geodesy", "TestSupport", "locationctl-places",
      ],
      exclude: ["Fixtures"]),
    // Questions about files of places whose answers are known, for tests and for measurements.
    .target(
      name: "PlacesSurvey", dependencies: ["PlacesStore", "PlacesCore", "LocationDatabase", "Geodesy", "TestSupport"],
      path: "Tests/PlacesSurvey"),
    .executableTarget(
      name: "places-bench",
      dependencies: ["PlacesSurvey", "PlacesStore", "PlacesData", "PlacesCore", "Geodesy", "TestSupport"],
      path: "Tests/PlacesBench", exclude: ["large_import.py", "shifted-extract.py"]),
    .testTarget(
      name: "PlacesTests",
      dependencies: [
        "PlacesCore", "PlacesData", "Positioning", "WireFormats", "Geodesy", "CAllocationCounter", "TestSupport",
      ],
      exclude: ["Cut"]),
    .testTarget(
      name: "MapServingTests",
      dependencies: ["MapServing", "LocationIPC", "LocationPolicy", "Regions", "Geodesy", "TestSupport"]),
    .testTarget(
      name: "GeoClueBridgeTests",
      dependencies: ["GeoClueBridge", "BusMessages", "LocationPolicy", "Geodesy", "TestSupport"]),
    .testTarget(name: "MapDrawingTests", dependencies: ["MapDrawing", "Geodesy"]),
    // Pictures of real programs: cairo, rsvg-convert, xmllint, libchafa and `locationctl-map`.
    .testTarget(
      name: "MapSnapshotTests",
      dependencies: [
        "MapSnapshot", "MapDrawing", "TerminalPicture", "LinuxIO", "Geodesy", "TestSupport", "locationctl",
        "locationctl-map",
      ]),
    .testTarget(name: "TrackFormatsTests", dependencies: ["TrackFormats", "Regions", "Geodesy", "TestSupport"]),
    // Clients of other users, in other namespaces, and with process IDs that are reused.
    .executableTarget(name: "peer-bed", dependencies: ["LinuxIO", "Geodesy"], path: "Tests/PeerBed"),
    .testTarget(
      name: "LinuxIOTests", dependencies: ["LinuxIO", "Geodesy", "TestSupport", "peer-bed"],
      cSettings: [.define("_GNU_SOURCE")]),
    // A logger in a process of its own, and a monitor's store; both can be killed.
    .executableTarget(
      name: "track-logger",
      dependencies: ["LocationStore", "LocationPolicy", "Regions", "LinuxIO", "Geodesy", "TestSupport"],
      path: "Tests/TrackLogger"),
    .testTarget(
      name: "LocationStoreTests",
      dependencies: [
        "LocationStore", "Fleet", "FleetDestinations", "LocationDatabase", "LocationPolicy", "Positioning", "Regions",
        "LinuxIO",
        "WireFormats",
        "Geodesy",
        "TestSupport", "track-logger",
      ],
      cSettings: [.define("_GNU_SOURCE")]),
    // The process of the hot-plug tests in umockdev's test bed, and the process that keeps the bed.
    .executableTarget(name: "device-watch", dependencies: ["LinuxDevices", "LinuxIO"], path: "Tests/DeviceWatch"),
    .executableTarget(name: "device-bed", path: "Tests/DeviceBed"),
    // Prints what the radios receive, one line per event.
    .executableTarget(
      name: "wifi-watch", dependencies: ["LinuxDevices", "Positioning", "LinuxIO", "WireFormats", "Geodesy"],
      path: "Tests/WiFiWatch"),
    // A receiver in a process of its own, which can lose power.
    .executableTarget(
      name: "simulated-ublox", dependencies: ["LocationReplay", "LinuxIO", "Geodesy"], path: "Tests/SimulatedUblox"),
    .testTarget(
      name: "DiagnosisTests", dependencies: ["Diagnosis", "LocationIPC", "WireFormats", "Geodesy", "TestSupport"]),
    .testTarget(
      name: "LinuxDevicesTests",
      dependencies: [
        "LinuxDevices", "LinuxIO", "Positioning", "Diagnosis", "LocationIPC", "WireFormats", "Geodesy", "TestSupport",
        "GPSDServer", "TimeService", "device-watch", "device-bed", "locationd",
      ]),
    .testTarget(
      name: "LocationDaemonTests",
      dependencies: [
        "LocationdServer", "LocationdRecords", "LocationdHost", "LocationdService", "LocationdClient", "LocationPolicy",
        "LocationdConfiguration", "LocationIPC", "LocationStore", "LocationDatabase", "GNSSReceiver", "Positioning",
        "Diagnosis",
        "LocationReplay", "LinuxIO", "LinuxDevices", "NetworkSources", "Fleet", "FleetDestinations", "PlacesCore",
        "WireFormats", "Geodesy", "TestSupport", "peer-bed", "locationd", "locationctl", "Regions", "TimeService",
      ],
      exclude: ["Monitoring/Lives"]),
    // Clients of another user that try to deny the service to all others.
    .executableTarget(
      name: "hostile-clients", dependencies: ["LocationIPC", "LocationPolicy", "Regions", "LinuxIO", "Geodesy"],
      path: "Tests/HostileClients"),
    .testTarget(
      name: "locationdTests",
      dependencies: [
        "locationd", "locationctl", "LocationIPC", "LocationPolicy", "LocationStore", "LocationdClient", "LinuxIO",
        "Geodesy", "TestSupport", "simulated-ublox", "device-bed", "hostile-clients",
      ]),
    // A program as written for Apple's framework.
    .executableTarget(name: "location-client", dependencies: ["CoreLocation"], path: "Tests/LocationClient"),
    .executableTarget(
      name: "async-location-client", dependencies: ["CoreLocation"], path: "Tests/AsyncLocationClient"),
    .testTarget(
      name: "CoreLocationTests",
      dependencies: [
        "CoreLocation", "LocationPolicy", "LocationIPC", "Regions", "LocationReplay", "LinuxIO", "Geodesy",
        "TestSupport", "location-client", "async-location-client", "locationd", "locationctl",
      ],
      exclude: ["Surface/Tables"]),
    .testTarget(
      name: "locationctlTests",
      dependencies: [
        "locationctl", "LocationdConfiguration", "Diagnosis", "LocationIPC", "LocationPolicy", "Positioning",
        "LocationReplay", "LinuxIO", "Geodesy", "Regions", "TrackFormats", "TestSupport", "device-bed",
        "simulated-ublox",
      ],
      exclude: ["Screens/Goldens", "Screens/terminal.py"]),
  ]
}

// `make arm64`: only the tests of these targets.
if let names = Context.environment["LOCATION_TESTS"]?.split(separator: ",") {
  package.targets.removeAll { target in target.type == .test && !names.contains(where: { $0 == target.name }) }
}

// Coverage needs `-Xswiftc -sanitize=fuzzer` for every fuzzed target (.ci/fuzz); the flag here links libFuzzer's
// driver.
if isDevelopment {
  package.targets.append(.target(name: "CFenceGrid", path: "Tests/Benchmarks/CFenceGrid"))
  package.targets.append(
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "WireFormats", "LocationStore", "LocationPolicy", "LocationIPC", "LocationdServer", "LocationdRecords",
        "LocationdHost", "LocationdService", "LocationdClient", "LinuxDevices", "Positioning", "Fusion", "Regions",
        "LocationReplay", "GNSSReceiver", "LinuxIO", "Geodesy", "CAllocationCounter", "CFenceGrid", "TestSupport",
      ],
      path: "Tests/Benchmarks/Program"))
  // A program as written for Apple's framework, and the same program without that framework.
  package.targets.append(
    .executableTarget(
      name: "core-location-bench",
      dependencies: [
        "CoreLocation", "LocationdServer", "LocationdRecords", "LocationdHost", "LocationdService", "LocationdClient",
        "LocationIPC", "LocationPolicy", "Geodesy",
      ],
      path: "Tests/Benchmarks/CoreLocation"))
  package.targets.append(
    .executableTarget(
      name: "Conformance", dependencies: ["LocationReplay", "GNSSReceiver", "WireFormats", "Geodesy"],
      path: "Tests/Conformance/Program"))
  // Two weeks of logging in virtual time.
  package.targets.append(
    .executableTarget(
      name: "Trip",
      dependencies: [
        "LocationdServer", "LocationdRecords", "LocationdHost", "LocationdService", "LocationdClient", "LocationIPC",
        "LocationPolicy", "LocationReplay", "Geodesy",
      ],
      path: "Tests/Trip/Program"))
  // All fuzz targets in one executable; the seeds are in Tests/Fuzz/Seeds/TARGET.
  package.targets.append(
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "WireFormats", "Geodesy", "LocationReplay", "TestSupport", "TrackFormats", "Positioning", "LocationIPC",
        "LocationPolicy", "LocationStore", "Regions", "LocationdConfiguration", "LocationdConfigurationFiles",
        "LocationdService", "GPSDServer", "NetworkSources", "TimeService", "Beacons", "HeadingSources", "Fleet",
        "FleetDestinations", "PlacesCore", "MapServing", "MapDrawing",
      ],
      path: "Tests/Fuzz/Program",
      // gold fails on the line tables of instrumented code.
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]))
}

// These programs are linked with Swift's runtime statically. Only the linker gets that flag, so that they share
// compiled targets with the module, which needs the runtime's shared libraries.
if isDevelopment {
  for target in package.targets
  where [
    "locationctl", "locationd", "locationctl-places", "locationctl-map", "locationd-geoclue", "Benchmarks",
    "simulated-ublox", "wifi-watch",
  ].contains(
    target.name)
  {
    target.linkerSettings =
      (target.linkerSettings ?? []) + [
        .unsafeFlags(
          [
            "-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections", "-lCoreFoundation", "-l_FoundationICU",
            "-use-ld=lld",
          ],
          .when(configuration: .release))
      ]
  }
}

for target in package.targets
where target.type != .system && (!target.name.hasPrefix("C") || target.name.hasPrefix("CoreLocation")) {
  var settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // `@_lifetime`: for views of a `Span` that must not outlive it.
    .enableExperimentalFeature("Lifetimes"),
  ]
  if isModule && target.name == "CoreLocation" {
    // Foundation is built without library evolution, which causes a warning without a group; `.ci/module` permits this
    // warning and no other.
    settings.append(
      .unsafeFlags([
        "-enable-library-evolution", "-no-verify-emitted-module-interface", "-module-link-name", "CoreLocation",
      ]))
  } else if hasPrograms {
    // A program that depends on this package may use a later compiler, with new warnings.
    settings.append(.treatAllWarnings(as: .error))
  }
  if hasPrograms, optimized.contains(target.name) {
    settings.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
  }
  if hasPrograms || isModule {
    // Each function has a section of its own, so that the linker omits functions that nothing calls.
    settings.append(.unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release)))
  }
  if hasPrograms, target.type != .test, target.path == nil, target.name != "CoreLocation" {
    // Functions that link the engine for regular expressions do not compile; Geodesy/TextSearch.swift has others.
    settings.append(
      .unsafeFlags(
        ["-Xfrontend", "-disable-implicit-string-processing-module-import"], .when(configuration: .release)))
  }
  if hasPrograms, small.contains(target.name) {
    settings.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
  }
  target.swiftSettings = (target.swiftSettings ?? []) + settings
}
