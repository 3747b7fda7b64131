import Foundation
import TestSupport

/// A kernel's Wi-Fi interface for programs on this machine, played from a recording of a real kernel: `Tests/RecordedRadio`.
final class RecordedRadio {
  static let isPossible = ["/usr/bin/cc", "/usr/bin/python3"].allSatisfy(FileManager.default.isExecutableFile)

  /// Made-up addresses, in the block of the access point that was recorded.
  static let addresses = (0..<12).map { "00:01:e3:00:00:" + String(0x10 + $0, radix: 16) }

  private let folder: URL
  /// The environment of a program that is to receive the recorded messages.
  let environment: [String: String]

  init(_ addresses: [String] = RecordedRadio.addresses) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("radio-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-B", "Tests/RecordedRadio/recorded_radio.py", folder.path] + addresses
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let pairs = text.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    environment = Dictionary(uniqueKeysWithValues: pairs.compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil })
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
