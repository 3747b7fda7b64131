import Geodesy
import LocationIPC
import Testing
import TrackFormats
import locationctl

@Suite struct TextFormatTests {
  @Test func aBlockSaysWhatIsKnown() {
    #expect(
      text(TextFormat.block(SampleFix.full)) == """
        Position  48.1173000° N, 11.5166667° E  ±1.1 m when measured, ±2.5 m now
        Altitude  545.4 m above mean sea level  ±4.3 m
        Movement  11.5 m/s towards 84°
        Time      2026-03-01T12:34:56.789Z, 0.1 s ago
        Fix       3D, 9 satellites
        Receiver  /dev/ttyACM0, u-blox 8 "x"

        """)
    #expect(
      text(TextFormat.block(SampleFix.bare)) == """
        Position  48.1173000° N, 11.5166667° E  ±2.5 m
        Time      2026-03-01T12:34:56.789Z (not confirmed), 0.0 s ago
        Fix       3D

        """)
  }

  /// A fast vehicle with a good receiver, 0.8 s after the measurement.
  @Test func theMovementSinceTheMeasurementIsNotTheReceiversRadius() {
    var located = SampleFix.with { fix in
      (fix.horizontalRadius68, fix.speedMetersPerSecond) = (Meters(1.8 + 0.8 * 12.5), 12.5)
    }
    located.age = .milliseconds(800)
    let block = text(TextFormat.block(located))
    #expect(block.contains("E  ±1.8 m when measured, ±11.8 m now\n"), "\(block)")
    // Without movement, the present radius is the receiver's; after a minute, the speed is another.
    located.fix.speedMetersPerSecond = 0
    #expect(text(TextFormat.block(located)).contains("E  ±11.8 m\n"))
    (located.age, located.fix.horizontalRadius68) = (.seconds(61), Meters(100))
    #expect(text(TextFormat.block(located)).contains("E  ±100.0 m\n"))
  }

  @Test func aLineSaysItShorter() {
    #expect(
      text(TextFormat.line(SampleFix.full))
        == "12:34:56.789  48.1173000° N, 11.5166667° E  ±2.5 m  545.4 m  11.5 m/s towards 84°  3D, 9 satellites\n")
  }

  @Test(arguments: [
    (120, "12:34:56.789  48.1173000° N, 11.5166667° E  ±2.5 m  545.4 m  11.5 m/s towards 84°  3D, 9 satellites\n"),
    (95, "12:34:56.789  48.11730° N, 11.51667° E  ±2.5 m  545.4 m  11.5 m/s towards 84°  3D, 9 satellites\n"),
    (80, "12:34:56.789  48.11730° N, 11.51667° E  ±2.5 m  545.4 m  11.5 m/s towards 84°\n"),
    (72, "12:34:56.789  48.11730° N, 11.51667° E  ±2.5 m  11.5 m/s towards 84°\n"),
    (20, "12:34:56.789\n48.11730° N,\n11.51667° E  ±2.5 m\n"),
  ]) func aLineFitsTheTerminal(width: Int, line: String) {
    #expect(text(TextFormat.line(SampleFix.full, look(width))) == line)
  }

  private func look(_ width: Int) -> Presentation {
    Presentation(usesColor: false, usesUnicode: true, width: width, showsLocalTime: false)
  }

  /// However short a line is, it contains the reason why its fix is doubtful.
  @Test func aShortLineKeepsItsDoubts() {
    let line = text(TextFormat.line(SampleFix.with { $0.qualityFlag = .frozen }, look(40)))
    #expect(line.hasSuffix("suspect: the position is frozen\n"))
  }

  @Test func doubtsAreTold() {
    var located = SampleFix.with { fix in
      fix.qualityFlag = .frozen
      fix.isSimulated = true
      fix.coordinate = SampleFix.coordinate(-1, -2)
    }
    located.isCached = true
    let block = text(TextFormat.block(located))
    #expect(block.contains("1.0000000° S, 2.0000000° W"))
    #expect(block.hasSuffix("Note      last known, not current; suspect: the position is frozen; simulated\n"))
  }

  @Test func aDeviceCannotSteerTheTerminal() {
    let block = TextFormat.block(SampleFix.with { $0.device = "\u{1B}]0;owned\u{7}\n\u{9B}31m\u{202E}" })
    #expect(text(block).contains("Receiver  \u{FFFD}]0;owned\u{FFFD}\u{FFFD}\u{FFFD}31m\u{FFFD}, u-blox"))
  }

  @Test func longTextIsCut() {
    #expect(TerminalText.sanitized(String(repeating: "a", count: 5000)).count == TerminalText.maximumCharacters + 1)
  }
}
