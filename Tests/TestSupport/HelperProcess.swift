import Foundation

/// A helper executable of this package in a process of its own: lines in, lines out. Its input ends with this object.
package final class HelperProcess {
  private let process = Process()
  private let output = PipeLines(patience: 30_000)
  private let input = Pipe()

  /// - Parameter name: built beside the test bundle that runs.
  package init(_ name: String, _ arguments: [String] = [], environment: [String: String]) throws {
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

  /// Its number in the kernel.
  package var processID: Int32 { process.processIdentifier }

  /// Nothing more is sent.
  package func endInput() { try? input.fileHandleForWriting.close() }

  /// Ends it at once, wherever it is (SIGKILL).
  package func kill() { _ = Foundation.kill(process.processIdentifier, SIGKILL) }

  /// The next line; `nil` at the end, or where nothing comes at all: a guard against hanging, not a measure.
  package func next() -> [UInt8]? { output.next() }

  /// Where the test bundle that runs was built, with the package's programs beside it.
  package static var folder: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer[..<max(count, 0)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (own as NSString).deletingLastPathComponent
  }
}
