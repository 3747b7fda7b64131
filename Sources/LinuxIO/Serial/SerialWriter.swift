import Geodesy

/// Writes messages to a serial port, each whole or not at all, in their order. A message that was cut would be completed by the next
/// one: the receiver would drop both.
package final class SerialWriter {
  /// The most that waits for the port, bytes: three of the longest messages (RTCM 3, 1029 bytes), and some short ones.
  package static let mostWaiting = 4096
  /// The interval between attempts to write what waits. At 9600 baud, 19 bytes are transmitted in it.
  package static let interval: Duration = .milliseconds(20)

  private let loop: EventLoop
  private var waiting: ArraySlice<UInt8> = []
  private var timer: TimerID?

  package init(_ loop: EventLoop) { self.loop = loop }

  /// Writes a message, and later what the port has not accepted. It is dropped if too much waits already.
  ///
  /// - Parameter write: writes to the port; called until `close`.
  package func write(_ message: [UInt8], by write: @escaping ([UInt8]) -> WriteResult) {
    guard waiting.count + message.count <= Self.mostWaiting else { return }
    waiting += message
    if timer == nil { send(by: write) }
  }

  /// The bytes that wait for the port.
  package var waitingCount: Int { waiting.count }

  /// Drops what waits.
  package func close() {
    if let timer { loop.cancel(timer) }
    (timer, waiting) = (nil, [])
  }

  private func send(by write: @escaping ([UInt8]) -> WriteResult) {
    switch write(Array(waiting)) {
    case .written(let count): waiting = waiting.dropFirst(count)
    case .wouldBlock: break
    // The next read reports it.
    case .failed: waiting = []
    }
    guard !waiting.isEmpty else { return waiting = [] }
    // A timer, because the port is not watched for writing: its watch is paused while incoming bytes are left in the kernel.
    timer = loop.schedule(at: loop.now + Self.interval) { [unowned self] in
      timer = nil
      send(by: write)
    }
  }
}
