// swift-tools-version: 6.2
import PackageDescription

// Programs as developers write them for Apple's systems, built only with the module on the search path.
let package = Package(
  name: "clients",
  targets: [
    .executableTarget(name: "Modern", swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(name: "Legacy", swiftSettings: [.swiftLanguageMode(.v5)]),
    // With the default of new projects: everything on the main actor.
    .executableTarget(
      name: "Script",
      swiftSettings: [
        .swiftLanguageMode(.v6), .defaultIsolation(MainActor.self), .enableUpcomingFeature("InferIsolatedConformances"),
      ]),
  ]
)
