import Foundation

/// A helper program of this package in a separate process: lines in, lines out. Its input ends when this object is released.
package final class HelperProcess {
  private let process = Process()
  private let output: PipeLines
  private let input = Pipe()

  /// - Parameters:
  ///   - name: the program, which is built beside the running test bundle.
  ///   - patienceMilliseconds: how long `next()` waits for a line.
  package init(
    _ name: String, _ arguments: [String] = [], environment: [String: String], patienceMilliseconds: Int32 = 30_000
  ) throws {
    output = PipeLines(patience: patienceMilliseconds)
    process.executableURL = URL(fileURLWithPath: Self.folder + "/" + name)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output.pipe
    process.standardInput = input
    try process.run()
    try output.processHasBegun()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  package func send(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  /// Its process ID.
  package var processID: Int32 { process.processIdentifier }

  /// Closes its input.
  package func endInput() { try? input.fileHandleForWriting.close() }

  /// Kills it immediately, in any state (SIGKILL).
  package func kill() { _ = Foundation.kill(process.processIdentifier, SIGKILL) }

  /// The next line; `nil` at the end or if no line comes (a guard against hanging, not a measurement).
  package func next() -> [UInt8]? { output.next() }

  /// The folder of the running test bundle, with the package's programs beside it.
  package static var folder: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer[..<max(count, 0)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (own as NSString).deletingLastPathComponent
  }
}
