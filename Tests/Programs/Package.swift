// swift-tools-version: 6.2
import PackageDescription

// Programs as they are written for Apple's systems, built as their authors would build them for both: on Apple's systems with
// the framework, on Linux with this package, on which they depend as `GettingStarted` describes.
//
// CORELOCATION_MODULE=1: built with the module that `make module` built, in the folder that the compiler's flags name.
let usesModule = Context.environment["CORELOCATION_MODULE"] == "1"
let coreLocation: [Target.Dependency] =
  usesModule
  ? []
  : [.product(name: "CoreLocation", package: "swift-corelocation", condition: .when(platforms: [.linux]))]

let package = Package(
  name: "programs",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: usesModule ? [] : [.package(name: "swift-corelocation", path: "../..")],
  targets: [
    // One object owns the manager, as in a view controller.
    .executableTarget(name: "DelegateApp", dependencies: coreLocation),
    // A run tracker: the tracking, its program, and its tests with a mock of the manager.
    .target(name: "Running", dependencies: coreLocation),
    .executableTarget(name: "TrackRun", dependencies: ["Running"] + coreLocation),
    .testTarget(name: "RunningTests", dependencies: ["Running"] + coreLocation),
    // A script: everything at the top level.
    .executableTarget(name: "OneShot", dependencies: coreLocation, swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(name: "AsyncApp", dependencies: coreLocation),
    // Only compiled.
    .target(name: "Idioms", dependencies: coreLocation),
    .executableTarget(name: "Swift5Client", dependencies: coreLocation, swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(name: "Swift6Client", dependencies: coreLocation, swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
