import Foundation
import Glibc

/// The lines from a pipe, until its other end closes.
final class LinesOfPipe {
  private let pipe: Pipe
  private var pending: [UInt8] = []

  init(_ pipe: Pipe) { self.pipe = pipe }

  func next() -> String? {
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        defer { pending.removeSubrange(...end) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // A guard against hanging, not a measurement.
      guard unsafe poll(&wait, 1, 30_000) == 1 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return nil }
      pending += buffer[..<count]
    }
  }
}
