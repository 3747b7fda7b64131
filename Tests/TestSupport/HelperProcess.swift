import Foundation

/// A helper executable of this package in a process of its own: lines in, lines out. Its input ends with this object.
package final class HelperProcess {
  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()
  private var pending: [UInt8] = []

  /// - Parameter name: built beside the test bundle that runs.
  package init(_ name: String, _ arguments: [String] = [], environment: [String: String]) throws {
    process.executableURL = URL(fileURLWithPath: Self.folder + "/" + name)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    process.standardInput = input
    try process.run()
    // Ours would keep the pipe open after the process has ended.
    try output.fileHandleForWriting.close()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  package func send(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

  /// Nothing more is sent.
  package func endInput() { try? input.fileHandleForWriting.close() }

  /// Ends it at once, wherever it is (SIGKILL).
  package func kill() { _ = Foundation.kill(process.processIdentifier, SIGKILL) }

  /// The next line; `nil` at the end, or where nothing comes at all: a guard against hanging, not a measure.
  package func next() -> [UInt8]? {
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        let line = Array(pending[..<end])
        pending.removeSubrange(...end)
        return line
      }
      let descriptor = output.fileHandleForReading.fileDescriptor
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&wait, 1, 30_000) == 1 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return nil }
      pending += buffer[..<count]
    }
  }

  /// Where the test bundle that runs was built, with the package's programs beside it.
  package static var folder: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer[..<max(count, 0)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (own as NSString).deletingLastPathComponent
  }
}
