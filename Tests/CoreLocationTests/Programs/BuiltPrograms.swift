import Foundation

/// The package `Tests/Programs`: third-party programs, built once with the built module, without a warning.
struct BuiltPrograms {
  /// The build, which is started by the first test that needs it, and for which all tests wait.
  private static let build = Task { try await BuiltPrograms() }

  /// The programs, once they are built.
  static var shared: BuiltPrograms { get async throws { try await build.value } }

  private let folder: URL

  private init() async throws {
    let module = ToolRun.package.appendingPathComponent(".build/module")
    _ = try BuiltModule.hosting()
    // The folder is kept, so that only changed programs are built again.
    let scratch = ToolRun.package.appendingPathComponent(".build-programs").path
    let build = try await ToolRun.alone(
      [
        "CORELOCATION_MODULE=1", "swift", "build", "--build-tests", "--package-path",
        ToolRun.package.appendingPathComponent("Tests/Programs").path, "--scratch-path", scratch,
        "-Xswiftc", "-warnings-as-errors", "-Xswiftc", "-I\(module.path)", "-Xlinker", "-L\(module.path)",
        "-Xlinker", "-rpath=\(module.path)",
      ])
    guard build.status == 0 else { throw Failure(build.output) }
    folder = URL(fileURLWithPath: scratch).appendingPathComponent("debug")
  }

  /// Runs a program to its end; kills one that hangs.
  func run(_ program: String, _ arguments: [String] = [], source: String = "simulator") async throws -> ToolRun {
    try await ToolRun.alone(
      [
        "LOCATIOND_SOURCE=\(source)", "LOCATIOND_GPSD=off", "LOCATIOND_STATE=/proc/nowhere", "timeout", "-k", "1", "60",
        folder.appendingPathComponent(program).path,
      ] + arguments)
  }

  /// The build failed: the part of its output that shows why.
  struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ output: String) {
      let complaints = output.split(separator: "\n").filter { $0.contains("error: ") }
      description = complaints.isEmpty ? output : Set(complaints).sorted().joined(separator: "\n")
    }
  }
}
