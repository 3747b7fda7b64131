import Geodesy
import WireFormats

/// Asks a receiver which of its ports this line ends at: settings are by port. From generation 10 on none answers, and then
/// it is what the hardware around it says.
struct PortQuestion: Sendable {
  static let patience: Duration = .seconds(2)
  static let attempts = 2

  private let likely: ReceiverPort
  private var asked = 0
  private(set) var deadline: Instant?
  /// The port, once it is known or nobody will tell.
  private(set) var answer: ReceiverPort?

  /// `isUSB`: the receiver itself is the USB device.
  init(isUSB: Bool) { likely = isUSB ? .usb : .uart1 }

  /// What to write.
  mutating func ask(at now: Instant) -> [UInt8] {
    asked += 1
    deadline = now + Self.patience
    return UBXFrame.pollPort
  }

  mutating func heard(_ message: UBXMessage) {
    switch message {
    case .configuration(let port) where port.id == 0x00 && port.bytes.count == 20:
      settle(ReceiverPort(rawValue: port.bytes[0]) ?? likely)
    case .acknowledgement(class: 0x06, id: 0x00, isAccepted: false): settle(likely)
    default: break
    }
  }

  /// The deadline may have passed: what to write again.
  mutating func wake(at now: Instant) -> [UInt8] {
    guard let deadline, now >= deadline else { return [] }
    if asked < Self.attempts { return ask(at: now) }
    settle(likely)
    return []
  }

  private mutating func settle(_ port: ReceiverPort) {
    answer = port
    deadline = nil
  }
}
