package import Foundation

/// The lines that a process writes to a pipe, as they come.
package final class PipeLines {
  package let pipe = Pipe()
  private let patience: Int32
  private var pending: [UInt8] = []

  /// - Parameter patience: how many milliseconds to wait for a line: a guard against hanging, not a measurement.
  package init(patience: Int32) { self.patience = patience }

  /// The process has its own end: a copy in this process would keep the pipe open after the process has ended.
  package func processHasBegun() throws { try pipe.fileHandleForWriting.close() }

  /// The next line; `nil` at the end or if no line comes.
  package func next() -> [UInt8]? {
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        defer { pending.removeSubrange(...end) }
        return Array(pending[..<end])
      }
      let descriptor = pipe.fileHandleForReading.fileDescriptor
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&wait, 1, patience) == 1 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return nil }
      pending += buffer[..<count]
    }
  }
}
