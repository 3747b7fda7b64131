/// How the machine's clocks get the receivers' time, as the configuration sets it.
package struct TimeSettings: Hashable, Sendable {
  package var sinks = TimeSinks.off
  /// The socket of chronyd for the messages' time.
  package var socket = ChronySnippet.socketPath
  /// The delay of all receivers in seconds; `nil`: it is measured.
  package var delaySeconds: Double?
  package var pulse = PulseChoice.automatic
  /// Whether the system's clock is set once after a boot.
  package var setsClock = false

  package init() {}

  /// Whether receivers have to run for their time.
  package var isActive: Bool { sinks != .off || setsClock }

  /// Whether an order belongs to these settings: the privileged process carries out no other, because the service that gives it may be
  /// compromised.
  package func allow(_ order: TimeOrder) -> Bool {
    switch order {
    case .socket(let path, _): sinks.chrony && (path == socket || path == pulseSocket || Self.isSocketOfGPSD(path))
    case .sharedMemory(let unit, _):
      sinks.sharedMemoryUnit.map { unit == $0 || unit == $0 + 1 } ?? false
    case .circumstances: true
    case .setClock: setsClock
    }
  }

  /// chronyd has such a socket only if its configuration has a line for a receiver through gpsd, which these samples replace:
  /// `chrony.clk.ttyACM0.sock` for messages, `chrony.ttyACM0.sock` for pulses.
  private static func isSocketOfGPSD(_ path: String) -> Bool {
    guard TimeOrder.isSocketPath(path) else { return false }
    let name = path.dropFirst("/run/chrony.".count)
    return name.hasPrefix("tty") || name.hasPrefix("clk.tty")
  }

  /// The socket for pulses, beside that for messages: `NAME-pps.sock`.
  package var pulseSocket: String {
    socket.hasSuffix(".sock") ? "\(socket.dropLast(5))-pps.sock" : "\(socket)-pps"
  }
}

/// The programs that get samples.
package struct TimeSinks: Hashable, Sendable {
  /// chronyd, by its sockets.
  package var chrony: Bool
  /// The unit of shared memory for messages; pulses use the next one. `nil`: none.
  package var sharedMemoryUnit: UInt8?

  package static let off = TimeSinks(chrony: false, sharedMemoryUnit: nil)
  /// NTP's drivers number their units from 0 to 255; pulses need the one after it.
  package static let units: ClosedRange<UInt8> = 0...254

  package init(chrony: Bool, sharedMemoryUnit: UInt8?) {
    (self.chrony, self.sharedMemoryUnit) = (chrony, sharedMemoryUnit)
  }

  /// As `init` reads it.
  package var text: String {
    let words = (chrony ? ["chrony"] : []) + (sharedMemoryUnit.map { ["shm:\($0)"] } ?? [])
    return words.isEmpty ? "off" : words.joined(separator: ",")
  }

  /// Reads `off`, or a list of `chrony` and `shm:UNIT`, separated by commas; `nil`: it is neither.
  package init?(_ text: String) {
    self = .off
    guard text != "off" else { return }
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let word = word.drop { $0 == " " }
      if word == "chrony", !chrony {
        chrony = true
      } else if word.hasPrefix("shm:"), sharedMemoryUnit == nil, let unit = UInt8(word.dropFirst(4)),
        Self.units.contains(unit), word.dropFirst(4).utf8.allSatisfy({ (0x30...0x39).contains($0) })
      {
        sharedMemoryUnit = unit
      } else {
        return nil
      }
    }
  }
}

/// The PPS device of a receiver.
package enum PulseChoice: Hashable, Sendable {
  /// The one that the kernel has made of the receiver's port, otherwise the one at a pin, if there is one receiver.
  case automatic
  case off
  /// A device by its name, such as `pps0`.
  case device(String)

  /// Reads `auto`, `off` or `/dev/ppsN`; `nil`: it is none of them.
  package init?(_ text: String) {
    switch text {
    case "auto": self = .automatic
    case "off": self = .off
    default:
      let name = text.hasPrefix("/dev/") ? text.dropFirst(5) : text[...]
      let number = name.dropFirst(3).utf8
      guard name.hasPrefix("pps"), (1...3).contains(number.count), number.allSatisfy({ (0x30...0x39).contains($0) })
      else { return nil }
      self = .device(String(name))
    }
  }
}
