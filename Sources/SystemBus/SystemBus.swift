package import BusMessages
internal import CSystemd
import Glibc

/// A connection to the system bus, on the thread that owns it. It calls nothing back: the owner waits for `descriptor` and takes the messages
/// with `next`, until there is none.
package final class SystemBus {
  private let connection: OwnedConnection

  /// Connects to the system bus; the address is that of `DBUS_SYSTEM_BUS_ADDRESS` if set.
  package init() throws(SystemBusError) { connection = try OwnedConnection() }

  /// The socket; the owner waits until it is readable, and until it is writable while `waitsToWrite`.
  package var descriptor: Int32 { unsafe csystemd_descriptor(connection.pointer) }
  package var waitsToWrite: Bool { unsafe csystemd_events(connection.pointer) & Int32(POLLOUT) != 0 }

  /// Becomes the owner of a name.
  package func request(name: String) throws(SystemBusError) {
    let result = unsafe csystemd_request_name(connection.pointer, name)
    if result == -EEXIST || result == -EALREADY { throw .nameTaken(name) }
    try Self.check(result, "own \(name)")
  }

  /// The next message; `nil`: none has arrived. Throws if the connection is lost.
  package func next() throws(SystemBusError) -> ReceivedMessage? {
    while true {
      var pointer: UnsafeMutableRawPointer?
      let result = unsafe csystemd_next(connection.pointer, &pointer)
      if let pointer = unsafe pointer {
        let message = unsafe OwnedMessage(pointer)
        if let received = ReceivedMessage(message) { return received }
        continue
      }
      try Self.check(result, "read from the bus")
      if result == 0 { return nil }
    }
  }

  /// Answers a call.
  package func answer(_ call: PendingCall, _ values: [BusValue]) throws(SystemBusError) {
    guard call.wantsReply else { return }
    var pointer: UnsafeMutableRawPointer?
    try Self.check(unsafe csystemd_new_reply(call.message.pointer, &pointer), "write a message")
    try unsafe send(values, in: pointer)
  }

  /// Answers a call with an error.
  package func answer(_ call: PendingCall, _ error: BusError) throws(SystemBusError) {
    guard call.wantsReply else { return }
    var pointer: UnsafeMutableRawPointer?
    try Self.check(
      unsafe csystemd_new_error(call.message.pointer, &pointer, error.name, error.sentence), "write a message")
    try unsafe send([], in: pointer)
  }

  /// Sends a signal; `destination` `nil`: to everyone.
  package func emit(_ signal: BusSignal, to destination: String?) throws(SystemBusError) {
    var pointer: UnsafeMutableRawPointer?
    let result =
      if let destination {
        unsafe csystemd_new_signal(
          connection.pointer, &pointer, destination, signal.path, signal.interface, signal.member)
      } else {
        unsafe csystemd_new_signal(connection.pointer, &pointer, nil, signal.path, signal.interface, signal.member)
      }
    try Self.check(result, "write a message")
    try unsafe send(signal.arguments, in: pointer)
  }

  /// Sends a call without waiting; the returned number is that of `ReceivedMessage.answer`.
  @discardableResult
  package func send(_ call: BusCall, to destination: String) throws(SystemBusError) -> UInt64 {
    let message = try made(call, to: destination)
    var number: UInt64 = 0
    try Self.check(unsafe csystemd_send(connection.pointer, message.pointer, &number), "write to the bus")
    return number
  }

  /// Calls the bus itself, and waits for its answer, which takes less than a millisecond; `nil`: it refuses.
  package func askBus(_ member: String, _ arguments: [BusValue]) throws(SystemBusError) -> [BusValue]? {
    let call = BusCall(path: Self.busPath, interface: Self.busName, member: member, arguments)
    let message = try made(call, to: Self.busName)
    var reply: UnsafeMutableRawPointer?
    let result = unsafe csystemd_call(connection.pointer, message.pointer, 5_000_000, &reply)
    guard result >= 0, let reply = unsafe reply else {
      if result == -ENOTCONN || result == -ECONNRESET { try Self.check(result, "read from the bus") }
      return nil
    }
    return try MessageReader.values(of: unsafe OwnedMessage(reply))
  }

  /// Starts to receive the signals of a rule (D-Bus Specification, "Match Rules").
  package func match(_ rule: String) throws(SystemBusError) {
    try send(
      BusCall(
        path: Self.busPath, interface: Self.busName, member: "AddMatch", [.string(rule)]),
      to: Self.busName)
  }

  /// The name, the interface and the path of the bus itself.
  package static let busName = "org.freedesktop.DBus"
  private static let busPath = "/org/freedesktop/DBus"

  // MARK: -

  private func made(_ call: BusCall, to destination: String) throws(SystemBusError) -> OwnedMessage {
    var pointer: UnsafeMutableRawPointer?
    let result = unsafe csystemd_new_call(
      connection.pointer, &pointer, destination, call.path, call.interface, call.member)
    guard result >= 0, let pointer = unsafe pointer else {
      throw .failed(operation: "write a message", errno: -result)
    }
    let message = unsafe OwnedMessage(pointer)
    try MessageAppender.append(call.arguments, to: message)
    return message
  }

  private func send(_ values: [BusValue], in pointer: UnsafeMutableRawPointer?) throws(SystemBusError) {
    guard let pointer = unsafe pointer else { return }
    let message = unsafe OwnedMessage(pointer)
    try MessageAppender.append(values, to: message)
    try Self.check(unsafe csystemd_send(connection.pointer, message.pointer, nil), "write to the bus")
  }

  private static func check(_ result: Int32, _ operation: String) throws(SystemBusError) {
    guard result >= 0 else { throw .failed(operation: operation, errno: -result) }
  }
}

/// A call that is answered later.
package final class PendingCall {
  let message: OwnedMessage
  let wantsReply: Bool

  init(_ message: consuming OwnedMessage) {
    wantsReply = unsafe csystemd_wants_reply(message.pointer) != 0
    self.message = message
  }
}

/// A message from another program on the bus.
package enum ReceivedMessage {
  /// The bus has checked the sender's name. An error: the arguments cannot be read.
  case call(BusCall, from: String, PendingCall)
  case unreadableCall(PendingCall)
  case signal(BusSignal, from: String)
  /// The answer to a call; `nil`: an error.
  case answer(UInt64, [BusValue]?, from: String)

  /// `nil`: not a message that this program uses.
  init?(_ message: consuming OwnedMessage) {
    let type = unsafe csystemd_type(message.pointer)
    guard let sender = unsafe Self.text(csystemd_sender(message.pointer)) else { return nil }
    let (path, member) = (
      unsafe Self.text(csystemd_path(message.pointer)) ?? "", unsafe Self.text(csystemd_member(message.pointer)) ?? ""
    )
    let interface = unsafe Self.text(csystemd_interface(message.pointer)) ?? ""
    let values = try? MessageReader.values(of: message)
    switch type {
    case 1:
      let call = PendingCall(message)
      if let values {
        self = .call(BusCall(path: path, interface: interface, member: member, values), from: sender, call)
      } else {
        self = .unreadableCall(call)
      }
    case 2, 3:
      let answered = unsafe csystemd_answered(message.pointer)
      self = .answer(answered, type == 2 ? values : nil, from: sender)
    case 4:
      guard let values else { return nil }
      self = .signal(BusSignal(path: path, interface: interface, member: member, values), from: sender)
    default: return nil
    }
  }

  private static func text(_ start: UnsafePointer<CChar>?) -> String? {
    unsafe start.map { unsafe String(cString: $0) }
  }
}
