import Foundation

/// One run of a checking program over a file of this package, which is removed afterwards.
struct ToolRun {
  let status: Int32
  let output: String
  let errors: String

  /// Runs `program` with `arguments`, in which `%` is replaced by the path of a file with `content`.
  init(_ program: String, _ arguments: [String], on content: [UInt8]) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["track", "output", "errors"].map { folder.appendingPathComponent($0) }
    try Data(content).write(to: files[0])
    for file in files[1...] { try Data().write(to: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments.map { $0 == "%" ? files[0].path : $0 }
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    status = process.terminationStatus
    output = String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
    errors = String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
  }

  static func isInstalled(_ program: String) -> Bool { FileManager.default.isExecutableFile(atPath: program) }
}
