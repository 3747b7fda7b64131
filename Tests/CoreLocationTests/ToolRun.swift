import Foundation
import TestSupport

/// One run of a tool of the Swift toolchain to its end, with its output and its errors in one text.
struct ToolRun {
  let status: Int32
  let output: String

  init(_ arguments: [String], in folder: URL? = nil) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  /// The same on a separate thread, for long runs: the few threads that tests share continue with other tests meanwhile.
  static func alone(_ arguments: [String], in folder: URL? = nil) async throws -> ToolRun {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Result { try ToolRun(arguments, in: folder) }) }.start()
    }
  }

  /// The folder of the built module: its interface, with its library beside it.
  static let products = URL(fileURLWithPath: HelperProcess.folder)
  /// The compiler's options to find that module and the modules that it is built from: without library evolution, Swift needs
  /// those, too.
  static let searchPaths =
    [
      "-I", products.appendingPathComponent("Modules").path, "-I",
      package.appendingPathComponent("Sources/CCoreLocation/include").path,
    ]
    + (moduleMaps(in: products) + moduleMaps(in: package.appendingPathComponent("Sources"))).flatMap {
      ["-Xcc", "-fmodule-map-file=" + $0]
    }

  /// The module maps of C modules, one in each folder.
  private static func moduleMaps(in folder: URL) -> [String] {
    let folders = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return folders.map { $0.appendingPathComponent("module.modulemap").path }
      .filter { FileManager.default.fileExists(atPath: $0) }.sorted()
  }

  /// This package's folder.
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
}
