import Geodesy
import WireFormats

/// Builds one UBX message: little-endian fields in the order of the interface description.
struct UBXFrameBuilder: Sendable {
  private let messageClass: UInt8
  private let id: UInt8
  private var payload: [UInt8] = []

  init(class messageClass: UInt8, id: UInt8) {
    self.messageClass = messageClass
    self.id = id
  }

  /// The whole frame.
  var bytes: [UInt8] { UBXFrame.encode(class: messageClass, id: id, payload: payload) }

  /// U1, U2, U4, I1, I2, I4 by the type of `value`.
  mutating func integer(_ value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      payload.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// A quantity in units of the field's scale, rounded; a value beyond the field's range becomes its nearest bound.
  mutating func scaled<Field: FixedWidthInteger>(_ value: Double, _: Field.Type) {
    let rounded = value.rounded()
    integer(Field(exactly: rounded) ?? (rounded > 0 ? .max : .min))
  }

  /// R4.
  mutating func real(_ value: Double) { integer(Float(value).bitPattern) }

  /// Appends this many reserved bytes.
  mutating func reserved(_ count: Int) { payload += repeatElement(0, count: count) }

  /// Appends bytes unchanged.
  mutating func raw(_ bytes: [UInt8]) { payload += bytes }

  /// CH: text padded with zero bytes to `width`.
  mutating func text(_ text: String, width: Int) {
    let bytes = text.utf8.prefix(width)
    payload += bytes
    reserved(width - bytes.count)
  }
}

/// The answers of a generation of u-blox receivers to identification polls.
struct UBXIdentity: Sendable {
  let dialect: Dialect
  let announcesSimulation: Bool
  /// Whether it is a receiver for RTK.
  var takesCorrections = false

  /// UBX-MON-VER (0x0A 0x04): software, hardware, extensions of 30 characters.
  var monVer: [UInt8] {
    var message = UBXFrameBuilder(class: 0x0A, id: 0x04)
    let (software, hardware, extensions) = version
    message.text(software, width: 30)
    message.text(hardware, width: 10)
    for text in extensions + (announcesSimulation ? ["SIMULATED"] : []) { message.text(text, width: 30) }
    return message.bytes
  }

  /// UBX-SEC-UNIQID (0x27 0x03): version 1 with five bytes, version 2 (u-blox 10) with six; `nil` before u-blox 8.
  func uniqueID(_ id: [UInt8]) -> [UInt8]? {
    switch dialect {
    case .nmea23, .nmea411, .ublox6, .ublox7: return nil
    case .ublox8, .ublox9, .mixed:
      var message = UBXFrameBuilder(class: 0x27, id: 0x03)
      let width = id.count > 5 ? 6 : 5
      message.integer(UInt8(width - 4))
      message.reserved(3)
      message.raw(Array(id.prefix(width)))
      message.reserved(max(0, width - id.count))
      return message.bytes
    }
  }

  private var version: (software: String, hardware: String, extensions: [String]) {
    switch dialect {
    case .nmea23, .nmea411: ("", "", [])
    case .ublox6: ("7.03 (45969)", "00040007", [])
    case .ublox7: ("1.00 (59842)", "00070000", ["PROTVER 14.00", "GPS;SBAS;GLO;QZSS"])
    case .ublox8, .mixed:
      (
        "ROM CORE 3.01 (107888)", "00080000",
        ["FWVER=SPG 3.01", "PROTVER=18.00", "GPS;GLO;GAL;BDS", "SBAS;IMES;QZSS"]
      )
    case .ublox9 where takesCorrections:
      (
        "EXT CORE 1.00 (f10c36)", "00190000",
        ["ROM BASE 0x118B2060", "FWVER=HPG 1.32", "PROTVER=27.31", "MOD=ZED-F9P", "GPS;GLO;GAL;BDS", "SBAS;QZSS"]
      )
    case .ublox9:
      (
        "EXT CORE 4.04 (7f89f7)", "00190000",
        ["ROM BASE 0x118B2060", "FWVER=SPG 4.04", "PROTVER=32.01", "MOD=NEO-M9N", "GPS;GLO;GAL;BDS", "SBAS;QZSS"]
      )
    }
  }
}

/// Date and time of an epoch as in UBX messages: fields that are always present, and flags that say which are valid.
struct UBXTime: Sendable {
  let date: CalendarDate?
  let knowsDate: Bool
  let knowsTime: Bool
  let knowsLeapSeconds: Bool
  private let nanosecondsSinceMidnight: Int64

  init(_ epoch: SimulatedEpoch) {
    knowsTime = epoch.time != nil
    knowsDate = epoch.knowsDate && knowsTime
    knowsLeapSeconds = epoch.knowsLeapSeconds
    // The date that u-blox receivers send before they know it: that of their firmware.
    date = knowsDate ? epoch.time?.date : CalendarDate(year: 2015, month: 10, day: 18)
    nanosecondsSinceMidnight = epoch.time?.nanosecondsSinceMidnight ?? 0
  }

  /// Nanoseconds of the second, 0…999,999,999.
  var nanosecond: Int32 { Int32(nanosecondsSinceMidnight % 1_000_000_000) }

  /// Expected error in nanoseconds.
  var accuracy: UInt32 { knowsTime ? (knowsLeapSeconds ? 25 : 1_000_000_000) : .max }

  /// Appends year U2, month, day, hour, minute, second U1.
  func append(to message: inout UBXFrameBuilder) {
    let seconds = nanosecondsSinceMidnight / 1_000_000_000
    message.integer(UInt16(date?.year ?? 0))
    message.integer(date?.month ?? 0)
    message.integer(date?.day ?? 0)
    message.integer(UInt8(seconds / 3600))
    message.integer(UInt8(seconds / 60 % 60))
    message.integer(UInt8(seconds % 60))
  }
}
