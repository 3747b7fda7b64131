import Foundation
import Geodesy
import LocationIPC
import Testing
import TrackFormats
import locationctl

@Suite struct JSONFormatTests {
  @Test func writesEveryKeyInTheContractsOrder() {
    #expect(
      text(JSONFormat.line(SampleFix.full)) == """
        {"schema":1,"timestamp":"2026-03-01T12:34:56.789Z","latitude":48.1173000,"longitude":11.516666667,"altitude":545.40,\
        "ellipsoidalAltitude":593.40,"geoidSeparation":48.00,"horizontalAccuracy":2.50,"verticalAccuracy":4.25,\
        "course":84.40,"courseAccuracy":1.50,"speed":11.525,"speedAccuracy":0.12,"age":0.125,"fix":"3d",\
        "satellitesUsed":9,"technologies":["gnss","wifi"],"device":"/dev/ttyACM0","receiver":"u-blox 8 \\"x\\"",\
        "timeConfirmed":true}

        """)
  }

  @Test func leavesOutWhatIsUnknown() {
    #expect(
      text(JSONFormat.line(SampleFix.bare)) == """
        {"schema":1,"timestamp":"2026-03-01T12:34:56.789Z","latitude":48.1173000,"longitude":11.516666667,\
        "horizontalAccuracy":2.50,"age":0.000,"fix":"3d","technologies":["gnss"],"timeConfirmed":false}

        """)
  }

  @Test func reportsWhatIsToBeDoubted() throws {
    var located = SampleFix.with { fix in
      fix.qualityFlag = .frozen
      fix.isSimulated = true
    }
    located.isCached = true
    let object = try parsed(JSONFormat.line(located))
    #expect(object["suspect"] as? String == "frozen")
    #expect(object["simulated"] as? Bool == true)
    #expect(object["cached"] as? Bool == true)
  }

  @Test(arguments: [
    (FixKind.estimated, "estimated"), (.twoDimensional, "2d"), (.threeDimensional, "3d"), (.differential, "dgnss"),
    (.rtkFloat, "rtkFloat"), (.rtkFixed, "rtkFixed"),
  ]) func namesTheSolution(kind: FixKind, name: String) throws {
    #expect(try parsed(JSONFormat.line(SampleFix.with { $0.kind = kind }))["fix"] as? String == name)
  }

  @Test func aHeightThatWasHeldIsNotReported() throws {
    let object = try parsed(JSONFormat.line(SampleFix.with { $0.kind = .twoDimensional }))
    for key in ["altitude", "ellipsoidalAltitude", "geoidSeparation", "verticalAccuracy"] {
      #expect(object[key] == nil)
    }
    #expect(object["latitude"] as? Double == 48.1173)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity]) func invalidNumberIsAbsent(value: Double) throws {
    let object = try parsed(
      JSONFormat.line(
        SampleFix.with { fix in
          fix.coordinate = SampleFix.coordinate(value, value)
          fix.horizontalRadius68 = Meters(value)
          fix.heightAboveMeanSeaLevel = Meters(value)
          fix.speedMetersPerSecond = value
          fix.course = Angle(degrees: value)
        }))
    for key in ["latitude", "longitude", "horizontalAccuracy", "altitude", "speed", "course", "geoidSeparation"] {
      #expect(object[key] == nil)
    }
    #expect(object["speedAccuracy"] as? Double == 0.12)
  }

  /// Every scalar that could end the string or the line, or that a terminal would interpret, is read back unchanged.
  @Test func escapesWhatADeviceMaySay() throws {
    let hostile = "\u{0}\u{1B}[2J\"\\/\n\r\t\u{7F}\u{9B}\u{202E}\u{2028}é😀\u{FEFF}"
    let line = JSONFormat.line(SampleFix.with { $0.device = hostile })
    #expect(try parsed(line)["device"] as? String == hostile)
    #expect(line.filter { $0 < 0x20 || $0 == 0x7F } == [UInt8(ascii: "\n")])
    #expect(text(line).contains("\\u0000\\u001b[2J\\\"\\\\/\\n\\r\\t\\u007f\\u009b\\u202e\\u2028é😀\\ufeff"))
  }

  @Test func eventsAreLinesWithoutAPosition() {
    let writer = StreamWriter(.format(.json))
    let time = GNSSTime(nanosecondsSince1970: 1_772_368_496_789_000_000)
    #expect(
      text(writer.line(StreamEvent(.lost, at: time)))
        == "{\"schema\":1,\"event\":\"lost\",\"timestamp\":\"2026-03-01T12:34:56.789Z\"}\n")
    #expect(text(writer.line(.denied(at: nil))) == "{\"schema\":1,\"event\":\"denied\"}\n")
    let unplugged = StreamEvent(.lost, at: nil, after: .waitingForSource)
    #expect(text(writer.line(unplugged)) == "{\"schema\":1,\"event\":\"lost\",\"reason\":\"disconnected\"}\n")
    let covered = StreamEvent(
      .lost, at: nil, after: .searching(path: "/dev/ttyACM0", satellitesInView: 0, satellitesUsed: 0))
    #expect(text(writer.line(covered)) == "{\"schema\":1,\"event\":\"lost\",\"reason\":\"noFix\"}\n")
    #expect(StreamEvent(.back, at: nil, after: .waitingForSource).reason == nil)
    #expect(text(writer.line(StreamEvent(.back, at: nil))) == "{\"schema\":1,\"event\":\"back\"}\n")
  }

  private func parsed(_ line: [UInt8]) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
  }
}
