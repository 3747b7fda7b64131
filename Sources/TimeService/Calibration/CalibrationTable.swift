import Geodesy
import WireFormats

/// The measured delays of the receivers of this machine, as the state folder stores them. The newest measurements are kept.
package struct CalibrationTable: Hashable, Sendable {
  /// The maximum number of entries: more receivers than a machine ever has, each with a few keys.
  package static let mostEntries = 64

  package struct Entry: Hashable, Sendable {
    package var key: CalibrationKey
    package var delay: ReceiverDelay
  }

  /// From the oldest measurement to the newest.
  package private(set) var entries: [Entry] = []

  package init() {}

  /// The delay of a receiver: measured under the same key, otherwise the usual one of its class of port.
  package func delay(of key: CalibrationKey?, port: PortClass) -> ReceiverDelay {
    guard let key, let entry = entries.last(where: { $0.key == key }) else { return .usual(of: port) }
    return entry.delay
  }

  /// Stores a measurement in place of an earlier one with the same key. A delay that was not measured is not stored.
  package mutating func store(_ delay: ReceiverDelay, for key: CalibrationKey) {
    guard delay.measuredAt != nil, delay.seconds.isFinite, delay.uncertaintySeconds.isFinite else { return }
    entries.removeAll { $0.key == key }
    if entries.count == Self.mostEntries { entries.removeFirst() }
    entries.append(Entry(key: key, delay: delay))
  }
}

/// The table as bytes: a version, the number of entries, the entries, and a CRC-32C of all that.
extension CalibrationTable {
  private static let version: UInt8 = 1
  /// Bytes of an entry besides the receiver's identity.
  private static let fixedSize = 1 + 1 + 2 + 4 + 8 + 8 + 1 + 8

  package var encoded: [UInt8] {
    var bytes: [UInt8] = [Self.version, UInt8(entries.count)]
    for entry in entries {
      let identity = Array(entry.key.receiver.utf8)
      bytes.append(UInt8(identity.count))
      bytes += identity
      bytes.append(entry.key.port.rawValue)
      Self.append(entry.key.cycleMilliseconds, to: &bytes)
      Self.append(entry.key.firstMessage.code, to: &bytes)
      Self.append(entry.delay.seconds.bitPattern, to: &bytes)
      Self.append(entry.delay.uncertaintySeconds.bitPattern, to: &bytes)
      bytes.append(entry.delay.basis.rawValue)
      Self.append(entry.delay.measuredAt?.nanosecondsSince1970 ?? 0, to: &bytes)
    }
    Self.append(CRC32C.of(bytes), to: &bytes)
    return bytes
  }

  /// `nil` if the bytes are damaged or of another version: then everything is measured again.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 6, bytes[0] == Self.version, Int(bytes[1]) <= Self.mostEntries,
      CRC32C.of(bytes.dropLast(4)) == Self.number(UInt32.self, bytes, at: bytes.count - 4)
    else { return nil }
    let end = bytes.count - 4
    var offset = 2
    for _ in 0..<bytes[1] {
      guard offset < end else { return nil }
      let length = Int(bytes[offset])
      guard offset + length + Self.fixedSize <= end,
        let entry = Self.entry(bytes, at: offset + 1, identityLength: length)
      else { return nil }
      entries.append(entry)
      offset += length + Self.fixedSize
    }
    guard offset == end else { return nil }
  }

  private static func entry(_ bytes: [UInt8], at start: Int, identityLength length: Int) -> Entry? {
    let fields = start + length
    guard let identity = String(validating: bytes[start..<fields], as: UTF8.self),
      let port = PortClass(rawValue: bytes[fields]),
      let message = FirstMessage(code: number(UInt32.self, bytes, at: fields + 3)),
      let key = CalibrationKey(
        receiver: identity, port: port, cycleMilliseconds: number(UInt16.self, bytes, at: fields + 1),
        firstMessage: message),
      let basis = ReceiverDelay.Basis(rawValue: bytes[fields + 23])
    else { return nil }
    let delay = Double(bitPattern: number(UInt64.self, bytes, at: fields + 7))
    let uncertainty = Double(bitPattern: number(UInt64.self, bytes, at: fields + 15))
    guard abs(delay) < 10, uncertainty > 0, uncertainty < 10 else { return nil }
    let time = GNSSTime(nanosecondsSince1970: number(Int64.self, bytes, at: fields + 24))
    return Entry(
      key: key,
      delay: ReceiverDelay(seconds: delay, uncertaintySeconds: uncertainty, basis: basis, measuredAt: time))
  }

  private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  private static func number<Number: FixedWidthInteger>(_: Number.Type, _ bytes: [UInt8], at offset: Int) -> Number {
    var value: Number = 0
    for index in 0..<Number.bitWidth / 8 {
      value |= Number(truncatingIfNeeded: bytes[offset + index]) << Number(8 * index)
    }
    return value
  }
}
