import LocationIPC
import Testing
import locationctl

/// The screen: several receivers on one terminal, and one picture drawn over the previous one.
@Suite struct SkyScreenTests {
  private func lines(_ count: Int, columns: Int = 80, rows: Int) -> [String] {
    let skies = (0..<count).map { index in
      var report = SampleSky.few
      report.device = "/dev/ttyACM\(index)"
      return (report: report, silence: Duration.zero)
    }
    return SkyScreen.lines(skies, SkyStyle(columns: columns, rows: rows, usesColor: false, usesUnicode: false))
  }

  private func devices(_ lines: [String]) -> [String] {
    lines.flatMap { $0.matches(of: /ttyACM\d/).map { String($0.output) } }
  }

  /// The last line is left for the cursor.
  @Test(arguments: [1, 9, 10, 24, 50]) func oneReceiverLeavesALineForTheCursor(rows: Int) {
    #expect(lines(1, rows: rows).count <= max(1, rows - 1))
  }

  @Test func severalShareTheHeight() {
    #expect(devices(lines(2, rows: 24)) == ["ttyACM0", "ttyACM1"])
    #expect(devices(lines(3, rows: 31)) == ["ttyACM0", "ttyACM1", "ttyACM2"])
    for rows in 1...60 { for count in 0...6 { #expect(lines(count, rows: rows).count <= max(1, rows - 1)) } }
  }

  @Test func thoseWithoutRoomAreCounted() {
    let few = lines(4, rows: 24)
    #expect(devices(few) == ["ttyACM0", "ttyACM1"])
    #expect(few.last == "and 2 more receivers: the window is too small")
    #expect(lines(2, rows: 12).last == "and 1 more receiver: the window is too small")
  }

  @Test func aPictureIsDrawnInThePlaceOfTheOneBefore() {
    var screen = SkyScreen()
    #expect(text(screen.frame(["a", "b"])) == "\ra\u{1B}[K\r\nb\u{1B}[K\r\n\u{1B}[J")
    #expect(text(screen.frame(["c"])) == "\r\u{1B}[2Ac\u{1B}[K\r\n\u{1B}[J")
    #expect(text(screen.frame(["d"])) == "\r\u{1B}[1Ad\u{1B}[K\r\n\u{1B}[J")
  }

  /// After a change of the terminal's size, the old lines may be anywhere; after a stop, the shell has written below them.
  @Test func aLostPictureIsNotDrawnOver() {
    var screen = SkyScreen()
    _ = screen.frame(["a", "b"])
    #expect(text(screen.clear()) == "\u{1B}[H\u{1B}[2J")
    #expect(text(screen.frame(["c"])).hasPrefix("\rc"))
    screen.forget()
    #expect(text(screen.frame(["d"])).hasPrefix("\rd"))
  }

  /// The program never hides the cursor and never switches to another screen, so that it has nothing to restore at the end.
  @Test func nothingHasToBePutRight() {
    var screen = SkyScreen()
    let all = text(screen.frame(lines(1, rows: 24)) + screen.clear() + screen.frame(lines(1, rows: 24)))
    #expect(!all.contains("\u{1B}[?"))
  }

  // MARK: - What a terminal can show

  @Test(arguments: [
    (["TERM": "xterm", "LANG": "de_CH.UTF-8"], true, true), (["TERM": "xterm", "LANG": "C"], true, false),
    (["TERM": "xterm", "LANG": "C", "LC_ALL": "C.utf8"], true, true),
    (["TERM": "xterm", "LANG": "C.UTF-8", "LC_CTYPE": "POSIX"], true, false),
    (["TERM": "xterm", "LANG": "C.UTF-8", "LC_ALL": ""], true, true),
    (["TERM": "xterm", "NO_COLOR": "1", "LANG": "C.UTF-8"], false, true),
    (["TERM": "xterm", "NO_COLOR": ""], true, false),
  ]) func theEnvironmentDecides(environment: [String: String], usesColor: Bool, usesUnicode: Bool) {
    #expect(
      SkyStyle(columns: 80, rows: 24) { environment[$0] }
        == SkyStyle(columns: 80, rows: 24, usesColor: usesColor, usesUnicode: usesUnicode))
  }

  @Test(arguments: [[:], ["TERM": "dumb"], ["TERM": ""]]) func someCannotBeDrawnOn(environment: [String: String]) {
    #expect(SkyStyle(columns: 80, rows: 24) { environment[$0] } == nil)
  }
}
