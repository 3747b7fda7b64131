import LocationIPC
import Testing
import locationctl

/// Why no receiver has listed satellites.
@Suite struct SkyCauseTests {
  @Test(arguments: [
    (LocationProgress.waitingForSource, "no receiver is attached; plug one in"),
    (.waitingForPort(path: "/dev/ttyACM0"), "another program uses /dev/ttyACM0; stop it"),
    (.listening(path: "/dev/ttyACM0", baud: 9600), "/dev/ttyACM0 sent no GNSS data; check the power"),
    (
      .searching(path: "/dev/ttyACM0", satellitesInView: nil, satellitesUsed: nil),
      "the receiver on /dev/ttyACM0 sends data, but no list of satellites; wait longer"
    ),
    (nil, "see why with 'locationctl doctor'"),
  ]) func theProgressSaysWhy(progress: LocationProgress?, words: String) {
    #expect(SkyCause.text(nil, progress).hasPrefix(words), "\(SkyCause.text(nil, progress))")
  }

  /// Reports without satellites do not count as a list.
  @Test func theLastReportSaysWhy() {
    var report = SampleSky.report()
    report.satellites = nil
    #expect(SkyCause.text(report, .waitingForSource).contains("sends no list of satellites (NMEA: GSV)"))
    report.satellites = []
    #expect(SkyCause.text(report, nil).contains("receives none; check its antenna"))
    report.device = "/dev/\u{1B}[2J"
    #expect(!SkyCause.text(report, nil).contains("\u{1B}"))
  }
}
