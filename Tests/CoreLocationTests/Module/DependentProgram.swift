import Foundation
import Testing

/// A third-party program in its own package that depends on this one, as released with a version and reachable by its URL.
/// Nothing else can be reached: git may not use the network, and the caches and mirrors of this machine are not used.
struct DependentProgram {
  /// Target names that programs about locations are likely to use.
  static let ownTargets = ["LocationService", "LocationClient", "Places", "Heading", "Replay", "TestSupport"]

  /// The traits that the program names; without any, it gets the default ones.
  enum Traits: String, CaseIterable, CustomTestStringConvertible {
    case byDefault = ""
    case none = ", traits: []"

    var testDescription: String { self == .byDefault ? "default traits" : "no traits" }
  }

  /// Headers of C libraries that only a host of the service needs; no program needs libnl's (Sources/CNetlink/shim.h).
  static let hostHeaders = ["libudev.h", "gps.h", "sqlite3.h", "sodium.h"]

  private let folder: TemporaryFolder
  private var program: URL { folder.url.appendingPathComponent("program") }

  /// - Parameter script: the program, one of `Tests/Clients/Scripts`.
  init(_ traits: Traits, running script: String, with targets: [String] = ownTargets) throws {
    folder = try TemporaryFolder()
    try Self.release(to: folder.url.appendingPathComponent("swift-corelocation"))
    for target in targets { try write("public let own\(target) = 1\n", to: "Sources/\(target)/\(target).swift") }
    let imports = targets.map { "import \($0)\n" }.joined()
    try write(
      imports + String(contentsOfFile: BuiltModule.script(script), encoding: .utf8), to: "Sources/Tracker/main.swift")
    let repository = folder.url.appendingPathComponent("swift-corelocation").absoluteString
    try write(
      """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "tracker",
        dependencies: [.package(url: "\(repository)", from: "1.0.0"\(traits.rawValue))],
        targets: [
          \(targets.map { ".target(name: \"\($0)\")," }.joined(separator: "\n    "))
          .executableTarget(
            name: "Tracker",
            dependencies: [
              \(targets.map { "\"\($0)\"" }.joined(separator: ", ")),
              .product(name: "CoreLocation", package: "swift-corelocation"),
            ]),
        ])

      """, to: "Package.swift")
  }

  /// Fetches the program's dependencies.
  func resolve() throws -> ToolRun { try swift("package", ["resolve"]) }

  /// The dependencies that were fetched, one per line; SwiftPM's error messages, if there are any.
  func dependencies() throws -> ToolRun {
    try swift("package", ["--quiet", "show-dependencies", "--format", "flatlist"])
  }

  /// Builds the program while pkg-config finds nothing; the named headers are errors.
  func build(without headers: [String] = []) throws -> ToolRun {
    let missing = folder.url.appendingPathComponent("headers")
    try FileManager.default.createDirectory(at: missing, withIntermediateDirectories: true)
    for header in headers {
      let error = "#error \"\(header) is not installed\"\n"
      try Data(error.utf8).write(to: missing.appendingPathComponent(header))
    }
    return try swift("build", ["-Xcc", "-I\(missing.path)"])
  }

  /// Runs the built program with a simulated receiver.
  func run() throws -> ToolRun {
    try ToolRun(
      BuiltModule.environment
        + [
          "LOCATIOND_SOCKET=/nonexistent", "timeout", "60", program.appendingPathComponent(".build/debug/Tracker").path,
        ])
  }

  private func write(_ text: String, to path: String) throws {
    let file = program.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Creates a repository that contains this package as a released version.
  private static func release(to repository: URL) throws {
    try FileManager.default.createDirectory(at: repository, withIntermediateDirectories: false)
    for part in ["Package.swift", "Sources"] {
      try FileManager.default.copyItem(
        at: ToolRun.package.appendingPathComponent(part), to: repository.appendingPathComponent(part))
    }
    let author = ["-c", "user.name=nobody", "-c", "user.email=nobody@localhost"]
    for command in [
      ["init", "--quiet"], ["add", "--all"], author + ["commit", "--quiet", "-m", "1.0.0"], ["tag", "1.0.0"],
    ] {
      let run = try ToolRun(elsewhere + ["git", "-C", repository.path] + command)
      guard run.status == 0 else { throw BuiltModule.Failure(output: run.output) }
    }
  }

  private func swift(_ tool: String, _ arguments: [String]) throws -> ToolRun {
    let folders = ["cache", "config", "security"].flatMap {
      ["--\($0)-path", folder.url.appendingPathComponent($0).path]
    }
    return try ToolRun(Self.elsewhere + ["swift", tool] + folders + arguments, in: program)
  }

  /// The environment of another machine, without access to this checkout and without a network.
  static let elsewhere =
    ["PROGRAMS", "DEV", "MODULE", "TESTS"].flatMap { ["-u", "LOCATION_\($0)"] } + [
      "GIT_CONFIG_SYSTEM=/dev/null", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ALLOW_PROTOCOL=file", "PKG_CONFIG_PATH=",
      "PKG_CONFIG_LIBDIR=/nonexistent",
    ]
}
