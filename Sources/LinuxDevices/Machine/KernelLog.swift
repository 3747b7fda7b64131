internal import Diagnosis
import Geodesy
internal import Glibc

/// The kernel's log, if this user may read it (`/dev/kmsg`, Documentation/ABI/testing/dev-kmsg). Never blocks.
struct KernelLog {
  /// Maximum number of records read: more than the kernel keeps by default.
  private static let maximumRecords = 20_000
  /// Maximum number of records kept: those about USB and power.
  private static let maximumKept = 4096

  private let messages: [String]

  init(tree: FileTree) {
    let descriptor = unsafe open(tree.root + "/dev/kmsg", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      messages = []
      return
    }
    defer { _ = close(descriptor) }
    var kept: [String] = []
    // Each read returns one record.
    var buffer = [UInt8](repeating: 0, count: 8192)
    for _ in 0..<Self.maximumRecords where kept.count < Self.maximumKept {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      // Records were overwritten in the meantime; reading continues with the next one.
      if count < 0, errno == EPIPE || errno == EINTR { continue }
      guard count > 0 else { break }
      for line in buffer[..<count].split(separator: UInt8(ascii: "\n")) {
        guard let semicolon = line.firstIndex(of: UInt8(ascii: ";")) else { continue }
        let text = String(decoding: line[line.index(after: semicolon)...].prefix(256), as: UTF8.self)
        if text.hasPrefix("usb ") || text.holds("nder-voltage") || text.holds("ndervoltage") { kept.append(text) }
      }
    }
    messages = kept
  }

  /// A Raspberry Pi's kernel logs "Under-voltage detected!" or "hwmon hwmon1: Undervoltage detected!".
  var reportsUnderVoltage: Bool { messages.contains { !$0.hasPrefix("usb ") && $0.holds("detected") } }

  var notes: KernelUSBEvents {
    var notes = KernelUSBEvents()
    for message in messages where message.hasPrefix("usb ") {
      guard let colon = message.firstIndex(of: ":") else { continue }
      let place = Self.place(message[message.index(message.startIndex, offsetBy: 4)..<colon])
      let words = message[message.index(after: colon)...].drop { $0 == " " }
      guard notes.disconnects.count < 256, notes.unrecognized.count < 256 else { break }
      if words.hasPrefix("USB disconnect") {
        notes.disconnects[place, default: 0] += 1
        notes.unrecognized.remove(place)
      } else if words.hasPrefix("New USB device found") {
        notes.unrecognized.remove(place)
      } else if words.hasPrefix("device descriptor read") || words.hasPrefix("device not accepting address")
        || words.hasPrefix("unable to enumerate USB device")
      {
        notes.unrecognized.insert(place)
      }
    }
    return notes
  }

  /// The location "1-1.4" from the name of a device or of a hub port: `usb1-port2` is "1-2", `1-1-port4` is "1-1.4".
  private static func place(_ name: Substring) -> String {
    let parts = name.split(separator: "-").map(String.init)
    guard let last = parts.last, last.hasPrefix("port") else { return String(name) }
    let number = last.dropFirst("port".count)
    let hub = parts.dropLast().joined(separator: "-")
    return hub.hasPrefix("usb") ? "\(hub.dropFirst(3))-\(number)" : "\(hub).\(number)"
  }
}
