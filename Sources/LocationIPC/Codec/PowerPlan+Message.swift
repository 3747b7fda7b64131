import Geodesy
import LocationPolicy

/// Field 1 says what the satellites' receivers do, 4 why; 2 is how long they sleep, 3 from scan to scan, 5 the radius that is meant.
extension PowerPlan: MessageContent {
  func write(to message: inout MessageWriter) {
    switch satellites {
    case .off: message.put(1, 0 as UInt64)
    case .on: message.put(1, 1 as UInt64)
    case .sparing(let period):
      message.put(1, 2 as UInt64)
      message.put(2, period)
    }
    message.put(3, wifiPeriod)
    switch reason {
    case .nobody: message.put(4, 0 as UInt64)
    case .accuracy(let radius):
      message.put(4, 1 as UInt64)
      message.put(5, radius?.value)
    case .satellites: message.put(4, 2 as UInt64)
    case .wifiSuffices(let radius):
      message.put(4, 3 as UInt64)
      message.put(5, radius.value)
    case .stillOnWiFi: message.put(4, 4 as UInt64)
    case .askingWiFi: message.put(4, 6 as UInt64)
    case .trial: message.put(4, 5 as UInt64)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let satellites: Satellites
    switch try fields.number(1).required(1) {
    case 0: satellites = .off
    case 1: satellites = .on
    case 2: satellites = .sparing(try fields.duration(2).required(2))
    case let code: throw .unknownCode(field: 1, found: code)
    }
    let reason: Reason
    switch try fields.number(4).required(4) {
    case 0: reason = .nobody
    case 1: reason = .accuracy(try fields.double(5).map { Meters($0) })
    case 2: reason = .satellites
    case 3: reason = .wifiSuffices(Meters(try fields.double(5).required(5)))
    case 4: reason = .stillOnWiFi
    case 6: reason = .askingWiFi
    case 5: reason = .trial
    case let code: throw .unknownCode(field: 4, found: code)
    }
    self.init(satellites: satellites, wifiPeriod: try fields.duration(3), reason: reason)
  }
}
