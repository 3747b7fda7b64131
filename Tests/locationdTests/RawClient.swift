import Foundation
import LinuxIO
import LocationIPC
import TestSupport

/// A client that can send any bytes.
final class RawClient {
  struct NoAnswer: Error {}

  private let stream: UnixStream
  private var reader = FrameReader(limit: MessageLimits.event)

  init(_ place: RunningDaemon.Place) throws {
    stream = try UnixStream(connectingTo: UnixAddress(path: place.socket))
  }

  /// A client that has sent its greeting and received that of the service.
  static func greeted(_ place: RunningDaemon.Place, name: String = "test") throws -> RawClient {
    let client = try RawClient(place)
    client.send(.hello(ClientHello(name: name)))
    guard case .hello? = try client.next() else { throw NoAnswer() }
    return client
  }

  func send(_ message: ClientMessage) { send(message.frame) }

  /// Sends as much as the socket accepts.
  func send(_ bytes: [UInt8]) { _ = stream.write(bytes[...]) }

  /// Waits for the next message; `nil`: the service has closed the connection.
  func next() throws -> ServerMessage? {
    while true {
      if let payload = try reader.next() { return try ServerMessage(payload.span) }
      var wait = pollfd(fd: stream.descriptor, events: Int16(POLLIN), revents: 0)
      // A guard against hanging, not a measurement.
      guard unsafe poll(&wait, 1, 60_000) == 1 else { throw NoAnswer() }
      guard read() else { return nil }
    }
  }

  /// The next message that is not progress.
  func nextEvent() throws -> ServiceEvent? {
    while let message = try next() {
      guard case .event(let event) = message else { throw NoAnswer() }
      if case .progress = event { continue }
      return event
    }
    return nil
  }

  /// Receives what has arrived or arrives within `milliseconds`; `false` if the service has closed the connection.
  func drain(within milliseconds: Int32 = 0, _ receive: (ServerMessage) -> Void) throws -> Bool {
    var isOpen = true
    var patience = milliseconds
    while isOpen {
      while let payload = try reader.next() { receive(try ServerMessage(payload.span)) }
      var wait = pollfd(fd: stream.descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&wait, 1, patience) == 1 else { return true }
      patience = 0
      isOpen = read()
    }
    return false
  }

  private func read() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    guard case .bytes(let count) = stream.read(into: &buffer) else { return false }
    reader.push(buffer[..<count])
    return true
  }
}
