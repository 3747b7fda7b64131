import Foundation

/// One run of a program to its end, in a folder of its own that has some files.
struct ToolRun {
  let status: Int32
  let output: [UInt8]
  let errors: String
  /// The content of the file `out` of the folder, if the program has made one with this suffix.
  let result: Data?

  /// The folder of the programs that were built beside the tests.
  static let built = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  init(_ program: String, _ arguments: [String], files: [String: Data] = [:], result name: String = "") throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, content) in files { try content.write(to: folder.appendingPathComponent(name)) }
    let streams = ["standard-output", "standard-error"].map { folder.appendingPathComponent($0) }
    for stream in streams { try Data().write(to: stream) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging([
      "LOCATIOND_MAP": Self.repository.appendingPathComponent("Sources/locationctl-map/Web").path,
      "LOCATIOND_WORLD": Self.repository.appendingPathComponent("Tests/PlacesTests/Cut").path,
      "LOCATIOND_SOCKET": folder.appendingPathComponent("no-socket").path, "TZ": "Europe/Zurich",
    ]) { $1 }
    process.standardOutput = try FileHandle(forWritingTo: streams[0])
    process.standardError = try FileHandle(forWritingTo: streams[1])
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    output = Array(try Data(contentsOf: streams[0]))
    errors = String(decoding: try Data(contentsOf: streams[1]), as: UTF8.self)
    result = name.isEmpty ? nil : try? Data(contentsOf: folder.appendingPathComponent(name))
  }

  /// `locationctl map` without a service.
  static func map(_ arguments: [String], files: [String: Data] = [:], result: String = "") throws -> ToolRun {
    try ToolRun(
      built.appendingPathComponent("locationctl").path, ["map"] + arguments, files: files, result: result)
  }

  static func isInstalled(_ program: String) -> Bool { FileManager.default.isExecutableFile(atPath: program) }
}
