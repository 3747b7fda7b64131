/// What a generation of u-blox receivers answers when it is asked what it is.
struct UBXIdentity: Sendable {
  let dialect: Dialect
  let announcesSimulation: Bool

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
    case .ublox9:
      (
        "EXT CORE 4.04 (7f89f7)", "00190000",
        ["ROM BASE 0x118B2060", "FWVER=SPG 4.04", "PROTVER=32.01", "MOD=NEO-M9N", "GPS;GLO;GAL;BDS", "SBAS;QZSS"]
      )
    }
  }
}
