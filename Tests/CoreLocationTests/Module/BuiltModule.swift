import Foundation

/// The module CoreLocation, copied away from where it was built: nothing in it refers to that folder.
struct BuiltModule {
  /// The folder is deleted with the last copy of this value.
  private let copy: TemporaryFolder
  var folder: URL { copy.url.appendingPathComponent("module") }
  var library: URL { folder.appendingPathComponent("libCoreLocation.so") }
  /// The flags that a compiler needs.
  var flags: [String] { ["-I", folder.path, "-L", folder.path, "-lCoreLocation"] }

  /// The output of the tool that failed.
  struct Failure: Error {
    let output: String
  }

  /// The module that `make module` built, with every trait: it hosts the service if no `locationd` answers. Tests cannot build
  /// it, because `swift test` holds the lock of the build folder.
  static func hosting() throws -> BuiltModule { try BuiltModule(copying: built.get()) }

  private static let built = Result {
    let module = ToolRun.package.appendingPathComponent(".build/module")
    let newer = try ToolRun([
      "find", ToolRun.package.appendingPathComponent("Sources").path, "-name", "*.swift", "-newer",
      module.appendingPathComponent("libCoreLocation.so").path,
    ])
    guard newer.status == 0, newer.output.isEmpty else {
      throw Failure(output: ".build/module is missing or older than the sources; run make module:\n\(newer.output)")
    }
    return module
  }

  /// The module built with other traits, in a separate scratch folder.
  init(scratch: String, options: [String]) throws {
    let module = ToolRun.package.appendingPathComponent(scratch).appendingPathComponent("module")
    let run = try ToolRun([".ci/module", module.path, scratch] + options, in: ToolRun.package)
    guard run.status == 0 else { throw Failure(output: run.output) }
    try self.init(copying: module)
  }

  private init(copying module: URL) throws {
    copy = try TemporaryFolder()
    try FileManager.default.copyItem(at: module, to: folder)
  }

  /// The path of a program of one file that uses only the module.
  static func script(_ name: String) -> String {
    ToolRun.package.appendingPathComponent("Tests/Clients/Scripts/\(name).swift").path
  }

  /// Builds a program of one file, and returns its path.
  func build(_ name: String, into folder: TemporaryFolder, _ options: [String] = []) throws -> URL {
    let program = folder.url.appendingPathComponent(name)
    let build = try ToolRun(
      ["swiftc"] + options + flags + ["-warnings-as-errors", Self.script(name), "-o", program.path])
    guard build.status == 0 else { throw Failure(output: build.output) }
    return program
  }

  /// Runs a program that finds the library through the loader's search path, with a simulated receiver; `socket`: the path of the
  /// socket of `locationd`.
  func run(_ program: URL, socket: String = "/nonexistent") throws -> ToolRun {
    try ToolRun(
      Self.environment
        + ["LOCATIOND_SOCKET=\(socket)", "LD_LIBRARY_PATH=\(folder.path)", "timeout", "60", program.path])
  }

  /// A simulated receiver, and no gpsd.
  static let environment = ["LOCATIOND_SOURCE=simulator", "LOCATIOND_GPSD=off"]
}
