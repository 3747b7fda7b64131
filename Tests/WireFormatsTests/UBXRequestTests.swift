import Foundation
import Geodesy
import Testing
import WireFormats

/// The bytes that are sent to a u-blox, compared with those of pyubx2 (https://pypi.org/project/pyubx2/): an independent
/// implementation of the interface descriptions.
@Suite(.enabled(if: Pyubx2.isThere, "pyubx2 is not there: '.ci/pyubx2' fetches it from PyPI"))
struct UBXRequestTests {
  /// A frame of this package, and the Python expression for the same frame.
  struct Request: Sendable, CustomTestStringConvertible {
    var frame: [UInt8]
    var python: String
    var testDescription: String { python }
  }

  /// 2026-08-09T23:59:58.123456789 UTC.
  private static let time = GNSSTime(nanosecondsSince1970: 1_786_319_998_123_456_789)
  private static let places: [(Double, Double, Double)] = [
    (47.2849876, 8.5650123, 455.12), (-33.8567844, 151.2152967, 64.32), (-90, -180, -430.5), (0, 0, 0),
    (89.9999999, 180, 8848.86),
  ]

  private static let requests: [Request] = {
    var requests: [Request] = [
      Request(frame: UBXFrame.pollPort, python: "UBXMessage('CFG', 'CFG-PRT', POLL)"),
      Request(frame: UBXFrame.pollRate, python: "UBXMessage('CFG', 'CFG-RATE', POLL)"),
      Request(frame: UBXFrame.pollNavigationEngine, python: "UBXMessage('CFG', 'CFG-NAV5', POLL)"),
      Request(frame: UBXFrame.pollPowerManagement, python: "UBXMessage('CFG', 'CFG-PM2', POLL)"),
      Request(frame: UBXFrame.pollPowerMode, python: "UBXMessage('CFG', 'CFG-RXM', POLL)"),
      Request(frame: UBXFrame.pollDatabase, python: "UBXMessage('MGA', 'MGA-DBD', POLL)"),
      Request(
        frame: UBXFrame.pollOutput(class: 0x01, id: 0x36),
        python: "UBXMessage('CFG', 'CFG-MSG', POLL, msgClass=1, msgID=0x36)"),
      Request(
        frame: UBXFrame.backup(milliseconds: 60_000, isLegacy: true),
        python: "UBXMessage('RXM', 'RXM-PMREQ', SET, payload=bytes([0x60, 0xEA, 0, 0, 2, 0, 0, 0]))"),
      Request(
        frame: UBXFrame.backup(milliseconds: 60_000, isLegacy: false),
        python: "UBXMessage('RXM', 'RXM-PMREQ', SET, version=0, duration=60000, backup=1, uartrx=1)"),
      Request(
        frame: UBXFrame.setValue(of: 0x2091_0009, to: [1]),
        python: "UBXMessage.config_set(1, 0, [('CFG_MSGOUT_UBX_NAV_PVT_USB', 1)])"),
      Request(
        frame: UBXFrame.setValue(of: 0x2011_0021, to: [4]),
        python: "UBXMessage.config_set(1, 0, [('CFG_NAVSPG_DYNMODEL', 4)])"),
      Request(
        frame: UBXFrame.setValue(of: 0x3021_0001, to: [200, 0]),
        python: "UBXMessage.config_set(1, 0, [('CFG_RATE_MEAS', 200)])"),
      Request(
        frame: UBXFrame.pollValue(of: 0x2091_0083),
        python: "UBXMessage.config_poll(0, 0, ['CFG_MSGOUT_UBX_NAV_COV_I2C'])"),
    ]
    for error: Duration in [.milliseconds(20), .seconds(1), .milliseconds(2500), .nanoseconds(7)] {
      let (seconds, attoseconds) = error.components
      guard let frame = UBXFrame.initialTime(time, error: error) else { continue }
      requests.append(
        Request(
          frame: frame,
          python: """
            UBXMessage('MGA', 'MGA-INI-TIME-UTC', SET, type=0x10, leapSecs=-128, year=2026, month=8, day=9, hour=23, \
            minute=59, second=58, ns=123456789, tAccS=\(seconds), tAccNs=\(attoseconds / 1_000_000_000))
            """))
    }
    for (latitude, longitude, height) in places {
      guard let place = Coordinate(checkingLatitude: latitude, longitude: longitude) else { continue }
      requests.append(
        Request(
          frame: UBXFrame.initialPosition(place, height: Meters(height), error: Meters(1234.56)),
          python: """
            UBXMessage('MGA', 'MGA-INI-POS-LLH', SET, type=1, lat=\(latitude), lon=\(longitude), \
            alt=round(\(height) * 100), posAcc=123456)
            """))
      guard
        let both = UBXFrame.initialAid(
          time: (time, .milliseconds(1500)), place: (place, Meters(height), Meters(1234.56)))
      else { continue }
      requests.append(
        Request(
          frame: both,
          python: """
            UBXMessage('AID', 'AID-INI', SET, ecefXOrLat=round(\(latitude) * 1e7), ecefYOrLon=round(\(longitude) * 1e7), \
            ecefZOrAlt=round(\(height) * 100), posAcc=123456, wn=2608, tow=9235958, towNs=123456789, tAccMs=1500, \
            flags=b'\\x23\\x04\\x00\\x00')
            """))
    }
    return requests
  }()

  @Test func allAreAsPyubx2MakesThem() throws {
    #expect(Self.requests.count == 27)
    let made = try Pyubx2.frames(Self.requests.map(\.python))
    try #require(made.count == Self.requests.count)
    for (request, frame) in zip(Self.requests, made) {
      #expect(request.frame == frame, "\(request.python)")
    }
  }

  /// Health, ephemerides and almanacs, each with an empty payload.
  @Test func threeThingsAreAskedForImmediately() throws {
    let polls = try Pyubx2.frames(["AID-HUI", "AID-EPH", "AID-ALM"].map { "UBXMessage('AID', '\($0)', POLL)" })
    #expect(UBXFrame.pollAidingData == polls.flatMap { $0 })
  }
}

/// pyubx2 under `.build/`, where `.ci/pyubx2` puts it.
private enum Pyubx2 {
  private static let python = ".build/pyubx2/bin/python3"
  static let isThere = FileManager.default.isExecutableFile(atPath: python)

  /// The bytes of each of the expressions.
  static func frames(_ expressions: [String]) throws -> [[UInt8]] {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = [
      "-c",
      "from pyubx2 import *\n" + expressions.map { "print(\($0).serialize().hex())" }.joined(separator: "\n"),
    ]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").map { line in
      stride(from: 0, to: line.utf8.count, by: 2).compactMap { offset in
        UInt8(line.dropFirst(offset).prefix(2), radix: 16)
      }
    }
  }
}
