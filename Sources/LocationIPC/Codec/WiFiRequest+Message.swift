import Positioning
import WireFormats

/// Field 1 is the case, 2 the origin, 3 the address after which to read, 4 positions (`AccessPointRows`), 5 addresses, 6
/// bytes each, little-endian.
extension WiFiRequest: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .scan: message.put(1, 0 as UInt64)
    case .locate: message.put(1, 5 as UInt64)
    case .account: message.put(1, 1 as UInt64)
    case .read(let knowledge, let last):
      message.put(1, 2 as UInt64)
      message.put(2, knowledge)
      message.put(3, last?.rawValue)
    case .add(let places):
      message.put(1, 3 as UInt64)
      message.put(4, AccessPointRows.bytes(places.prefix(MessageLimits.placesAdded)))
    case .leaveOut(let addresses):
      message.put(1, 6 as UInt64)
      message.put(
        5,
        addresses.prefix(MessageLimits.placesAdded).flatMap { address in
          (0..<6).map { UInt8(truncatingIfNeeded: address.rawValue >> UInt64(8 * $0)) }
        })
    case .forget(let knowledge):
      message.put(1, 4 as UInt64)
      message.put(2, knowledge)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(1).required(1)
    switch code {
    case 0: self = .scan
    case 1: self = .account
    case 2: self = .read(try fields.code(2).required(2), after: try fields.bssid(3))
    case 3: self = .add(try AccessPointRows.places(try fields.bytes(4).required(4), field: 4))
    case 4: self = .forget(try fields.code(2).required(2))
    case 5: self = .locate
    case 6: self = .leaveOut(try Self.addresses(try fields.bytes(5).required(5)))
    default: throw .unknownCode(field: 1, found: code)
    }
  }

  private static func addresses(_ bytes: [UInt8]) throws(MessageError) -> [BSSID] {
    guard bytes.count % 6 == 0, bytes.count / 6 <= MessageLimits.placesAdded else {
      throw .outOfRange(field: 5, found: UInt64(bytes.count))
    }
    return stride(from: 0, to: bytes.count, by: 6).compactMap { start in
      BSSID(rawValue: (0..<6).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) })
    }
  }
}

extension MessageFields {
  func bssid(_ field: Int) throws(MessageError) -> BSSID? {
    guard let number = try number(field) else { return nil }
    guard let bssid = BSSID(rawValue: number) else { throw .outOfRange(field: field, found: number) }
    return bssid
  }
}
