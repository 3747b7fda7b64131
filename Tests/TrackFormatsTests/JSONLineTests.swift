import Geodesy
import Testing
import TrackFormats

@Suite struct JSONLineTests {
  @Test func writesAllThatIsKnown() {
    let located = LocatedFix(SampleTrack.fix(48.1173, -11.516666667), age: .milliseconds(150))
    #expect(
      text(JSONFormat.line(located)[...])
        == #"{"schema":1,"timestamp":"2026-03-01T12:34:56.789Z","latitude":48.1173000,"longitude":-11.516666667,"altitude":545.40,"#
        + #""ellipsoidalAltitude":593.40,"geoidSeparation":48.00,"horizontalAccuracy":2.50,"verticalAccuracy":4.25,"#
        + #""course":84.40,"speed":11.525,"age":0.150,"fix":"3d","satellitesUsed":9,"technologies":["gnss"],"#
        + #""device":"/dev/ttyACM0","timeConfirmed":true}"# + "\n")
  }

  @Test func theDilutionIsTheLastKey() {
    let located = LocatedFix(SampleTrack.fix(48, 11) { $0.hdop = 1.27 }, age: nil)
    #expect(text(JSONFormat.line(located)[...]).hasSuffix(",\"timeConfirmed\":true,\"hdop\":1.27}\n"))
  }

  @Test func oneWriterServesForLinesOfAnyLength() {
    let names = ["a", String(repeating: "\u{1B}", count: 2000), "é\n\"\\", ""]
    var writer = JSONLineWriter()
    for name in names + names.reversed() {
      let located = LocatedFix(SampleTrack.fix(48, 11) { ($0.device, $0.receiver) = (name, name) }, age: nil)
      #expect(text(writer.line(located)) == text(JSONFormat.line(located)[...]))
      #expect(text(writer.line(located)).hasSuffix("}\n"))
    }
    let escaped = LocatedFix(SampleTrack.fix(48, 11) { $0.device = "é\n\"\\\u{1B}" }, age: nil)
    #expect(text(writer.line(escaped)).contains(#""device":"é\n\"\\\u001b","#))
  }

  @Test func leavesOutATimeThatNoCalendarHas() {
    let located = LocatedFix(SampleTrack.fix(48, 11) { $0.time = GNSSTime(nanosecondsSince1970: .min) }, age: nil)
    #expect(text(JSONFormat.line(located)[...]).hasPrefix(#"{"schema":1,"latitude":48.0000000,"#))
  }

  private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
