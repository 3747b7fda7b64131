import Foundation

/// What `make module` lays, built once for all tests, and moved away from where it was laid.
struct BuiltModule: Sendable {
  let folder: URL
  var library: URL { folder.appendingPathComponent("libCoreLocation.so") }
  /// All that a compiler is told.
  var flags: [String] { ["-I", folder.path, "-L", folder.path, "-lCoreLocation"] }

  /// With all that it may have: it hosts the service where none answers.
  static let hosting = Result { try BuiltModule(scratch: ".build-module") }

  /// What could not be built, and what was said of it.
  struct Failure: Error {
    let output: String
  }

  init(scratch: String, options: [String] = [], environment: [String] = []) throws {
    let home = ToolRun.package.appendingPathComponent(scratch)
    let laid = home.appendingPathComponent("laid")
    folder = home.appendingPathComponent("moved")
    let run = try ToolRun(environment + [".ci/module", laid.path, scratch] + options, in: ToolRun.package)
    guard run.status == 0 else { throw Failure(output: run.output) }
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.moveItem(at: laid, to: folder)
  }

  /// A program of one file that knows nothing but the module: what it is built with, and where it lies.
  static func script(_ name: String) -> String {
    ToolRun.package.appendingPathComponent("Tests/Clients/Scripts/\(name).swift").path
  }

  /// Builds a program of one file; then where it is.
  func build(_ name: String, into folder: TemporaryFolder, _ options: [String] = []) throws -> URL {
    let program = folder.url.appendingPathComponent(name)
    let build = try ToolRun(
      ["swiftc"] + options + flags + ["-warnings-as-errors", Self.script(name), "-o", program.path])
    guard build.status == 0 else { throw Failure(output: build.output) }
    return program
  }

  /// Runs a program that finds the library by the loader's path, at a simulated receiver; `socket`: where `locationd` is
  /// looked for.
  func run(_ program: URL, socket: String = "/nonexistent") throws -> ToolRun {
    try ToolRun(
      Self.environment
        + ["LOCATIOND_SOCKET=\(socket)", "LD_LIBRARY_PATH=\(folder.path)", "timeout", "60", program.path])
  }

  /// A simulated receiver, and no gpsd.
  static let environment = ["LOCATIOND_SOURCE=simulator", "LOCATIOND_GPSD=off"]
}
