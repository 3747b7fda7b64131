import Foundation
import TestSupport
import Testing

/// The libraries that the daemon loads show that the layering is intact: no part of Foundation.
@Suite struct LinkageTests {
  private static let ldd = "/usr/bin/ldd"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: ldd), "there is no ldd"))
  func loadsNothingOfFoundation() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.ldd)
    process.arguments = [RunningDaemon.program]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text.contains("libudev.so.1"))
    #expect(!text.contains("Foundation"))
  }
}
