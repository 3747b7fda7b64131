import Geodesy
import LocationIPC
import Testing
import TrackFormats
import locationctl

/// The panel of `watch` in virtual time.
@Suite struct WatchPanelTests {
  private let start = Instant(nanoseconds: 1_000_000_000_000)

  private func look(usesUnicode: Bool = true) -> Presentation {
    Presentation(usesColor: false, usesUnicode: usesUnicode, width: nil, showsLocalTime: false)
  }

  /// A drive of `count` seconds that gets faster and climbs half a meter per second.
  private func drive(_ count: Int = 30) -> WatchPanelState {
    var state = WatchPanelState()
    var sky = SampleSky.few
    sky.device = "/dev/ttyACM0"
    for second in 0..<count {
      var located = SampleFix.with { fix in
        fix.time = fix.time + .seconds(second)
        fix.speedMetersPerSecond = Double(second) / 2
        fix.heightAboveEllipsoid = Meters(500 + Double(second) / 2)
      }
      located.age = .milliseconds(100)
      state.receive(located, at: start + .seconds(second))
      state.receive(sky, at: start + .seconds(second))
    }
    return state
  }

  private func lines(
    _ state: WatchPanelState, after: Duration = .seconds(29), columns: Int = 80, rows: Int = 24,
    usesUnicode: Bool = true
  ) -> [String] {
    WatchPanel(state, at: start + after, columns: columns, rows: rows, look(usesUnicode: usesUnicode)).lines
  }

  private func field(_ label: String, _ lines: [String]) -> String? {
    lines.first { $0.hasPrefix("\(label) ") }.map { line in
      String(line.prefix(43).dropFirst(11)).trimmed
    }
  }

  @Test func theNumbersAreShown() {
    let shown = lines(drive())
    #expect(
      shown[0] == "● 3D fix   ±2.5 m   0.1 s ago                                       12:35:25 UTC", "\(shown[0])")
    #expect(field("Position", shown) == "48.1173000° N, 11.5166667° E")
    #expect(field("Radius", shown) == "±2.5 m (68 %)")
    #expect(field("Altitude", shown) == "545.4 m  ±4.3 m")
    #expect(field("Speed", shown) == "14.5 m/s  52.2 km/h")
    #expect(field("Course", shown) == "→ 84° E  ±1.5°")
    #expect(field("Climb", shown) == "+0.5 m/s")
    #expect(field("DOP", shown) == "H 0.9  V 1.3  P 1.6")
    #expect(field("Satellites", shown) == "3 used, 6 in view")
    #expect(field("Receiver", shown) == "/dev/ttyACM0")
    #expect(field("Grid", shown) == "JN58sc28")
    #expect(shown.contains { $0.contains("▇████  max 14.5 m/s") }, "\(shown)")
    #expect(shown.contains { $0.contains("G05") } && shown.contains { $0.contains("N") })
  }

  /// No size makes a line wrap or the screen scroll, and the position stays to the last.
  @Test(arguments: [1, 10, 19, 40, 43, 60, 66, 79, 80, 119, 120, 250], [1, 2, 5, 11, 12, 18, 23, 24, 25, 40, 70])
  func everySizeFits(columns: Int, rows: Int) {
    var state = drive()
    state.receive(StreamEvent(.lost, at: nil), at: start + .seconds(29))
    for usesUnicode in [true, false] {
      let shown = lines(state, columns: columns, rows: rows, usesUnicode: usesUnicode)
      #expect(shown.count <= rows)
      #expect(shown.allSatisfy { $0.unicodeScalars.count <= columns }, "\(shown)")
      if rows >= 4, columns >= 40 { #expect(shown.contains { $0.contains("48.117") }, "\(shown)") }
      if !usesUnicode { #expect(shown.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }, "\(shown)") }
    }
  }

  @Test func aWideTerminalHasTheSignalsToo() {
    #expect(lines(drive(), columns: 120, rows: 40).contains { $0.contains("G05 ████") })
    #expect(!lines(drive()).contains { $0.contains("██████") })
  }

  @Test func theAgeGrows() {
    #expect(lines(drive(), after: .seconds(31))[0].hasPrefix("● 3D fix   ±2.5 m   2.1 s ago"))
    #expect(lines(drive(), after: .seconds(59))[0].hasPrefix("● 3D fix   ±2.5 m   30 s ago"))
  }

  @Test func whatHappensIsShown() {
    var state = drive()
    let time = SampleFix.full.fix.time
    state.receive(StreamEvent(.lost, at: time + .seconds(33)), at: start + .seconds(33))
    let lost = lines(state, after: .seconds(45))
    #expect(lost[0].hasPrefix("● Fix lost   for 12 s"), "\(lost[0])")
    state.receive(StreamEvent(.back, at: time + .seconds(50)), at: start + .seconds(50))
    state.receive(SampleFix.full, at: start + .seconds(50))
    state.receive(StreamEvent(.paused, at: time + .seconds(60)), at: start + .seconds(60))
    let paused = lines(state, after: .seconds(60))
    #expect(paused[0].hasPrefix("● Paused in the background"), "\(paused[0])")
    let events = paused.drop { !$0.hasPrefix("Events") }.dropFirst().prefix(3).map { $0.prefix(44).trimmed }
    #expect(
      events == [
        "12:35:56 UTC  paused in the background: no …", "12:35:46 UTC  fix regained", "12:35:29 UTC  fix lost",
      ])
  }

  /// Nothing on the panel looks like the present when the receiver was unplugged: no age, no speed, no satellites.
  @Test func withoutAReceiverOnlyThePastIsShown() {
    var state = drive()
    state.receive(
      StreamEvent(.lost, at: nil, after: .waitingForSource), at: start + .seconds(33))
    let shown = lines(state, after: .seconds(45))
    #expect(shown[0].hasPrefix("● Fix lost: the receiver was disconnected   for 12 s"), "\(shown[0])")
    #expect(field("Position", shown) == "48.1173000° N, 11.5166667° E")
    #expect(field("Radius", shown) == "±2.5 m (68 %) when measured")
    #expect(field("Measured", shown)?.hasPrefix("2026-03-01T12:35:25") == true, "\(shown)")
    for label in ["Speed", "Course", "Climb", "DOP", "Satellites"] { #expect(field(label, shown) == nil, "\(label)") }
    state.receive(StreamEvent(.back, at: nil), at: start + .seconds(50))
    #expect(field("Speed", lines(state, after: .seconds(50))) == "14.5 m/s  52.2 km/h")
  }

  @Test func beforeTheFirstFixTheStageIsShown() {
    var state = WatchPanelState()
    #expect(lines(state)[0] == "○ No fix yet   waiting for the first fix")
    state.receive(.searching(path: "/dev/ttyACM0", satellitesInView: 4, satellitesUsed: 0))
    state.receive(SampleSky.few, at: start)
    let shown = lines(state, after: .seconds(1))
    #expect(shown[0] == "○ No fix yet   no fix yet from /dev/ttyACM0, 4 satellites in view, 0 used")
    #expect(shown.contains { $0.contains("G05") })
  }

  /// What a device says of itself cannot control the terminal.
  @Test func aDeviceCannotSteerTheTerminal() {
    var state = WatchPanelState()
    state.receive(
      SampleFix.with {
        $0.device = "\u{1B}]0;owned\u{7}\u{9B}31m\u{202E}"; $0.receiver = "\u{1B}[2J"
      }, at: start)
    #expect(!lines(state).joined().unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
  }

  @Test func aSilentReceiverIsForgotten() {
    let state = drive()
    #expect(state.report(at: start + .seconds(80)) != nil)
    #expect(state.report(at: start + .seconds(100)) == nil)
  }

  @Test func sparklines() {
    #expect(Sparkline.text([0, 1, 2, 3, 4, 5, 6, 7, 8], columns: 20, least: 1, usesUnicode: true) == "▁▂▃▄▅▆▇██")
    #expect(Sparkline.text([0, nil, 0.1], columns: 20, least: 1, usesUnicode: true) == "▁ ▁")
    #expect(Sparkline.text([9, 1, 8], columns: 2, least: 1, usesUnicode: false) == ".#")
    #expect(Sparkline.text([.infinity, .nan], columns: 2, least: 1, usesUnicode: true) == "  ")
  }
}

/// The bytes of one picture over the previous one.
@Suite struct ScreenFrameTests {
  @Test func onlyWhatChangedIsDrawn() {
    var frame = ScreenFrame()
    #expect(text(frame.bytes(["a", "b"])) == "\u{1B}[0m\u{1B}[H\u{1B}[2J\u{1B}[1;1H\u{1B}[Ka\u{1B}[2;1H\u{1B}[Kb")
    #expect(text(frame.bytes(["a", "c"])) == "\u{1B}[2;1H\u{1B}[Kc")
    #expect(text(frame.bytes(["a", "c"])) == "")
    #expect(text(frame.bytes(["a"])) == "\u{1B}[2;1H\u{1B}[K")
    frame.forget()
    #expect(text(frame.bytes(["a"])).hasPrefix("\u{1B}[0m\u{1B}[H\u{1B}[2J"))
  }

  /// Each mode that is set on the way in is reset on the way out.
  @Test func everyModeIsRestored() {
    let (entering, leaving) = (text(ScreenFrame.enter), text(ScreenFrame.leave))
    #expect(entering.contains("?1049h") && entering.contains("?7l") && entering.contains("?25l"))
    #expect(leaving.contains("?1049l") && leaving.contains("?7h") && leaving.contains("?25h"))
  }
}

extension StringProtocol {
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
