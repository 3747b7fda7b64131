import LocationIPC
import Testing
import locationctl

@Suite struct ProgressLineTests {
  @Test(arguments: [
    (nil, "3 s: starting"), (LocationProgress.waitingForSource, "3 s: waiting for a receiver to be plugged in"),
    (.listening(path: "/dev/ttyUSB0", baud: 9600), "3 s: listening on /dev/ttyUSB0 at 9600 baud"),
    (
      .searching(path: "/dev/ttyACM0", satellitesInView: 7, satellitesUsed: 3),
      "3 s: no fix yet from /dev/ttyACM0, 7 satellites in view, 3 used"
    ),
    (.searching(path: "/dev/ttyACM0", satellitesInView: nil, satellitesUsed: nil), "3 s: no fix yet from /dev/ttyACM0"),
    (.converging(radius68Meters: 4.21), "3 s: fix within 4.2 m, still improving"),
    (.converging(radius68Meters: .nan), "3 s: fix within ? m, still improving"),
  ]) func saysWhatIsWaitedFor(progress: LocationProgress?, expected: String) {
    #expect(ProgressLine.text(progress, elapsed: .milliseconds(3900)) == expected)
  }

  @Test func saysWhatIsCounted() {
    #expect(
      ProgressLine.text(.converging(radius68Meters: 4.21), elapsed: .seconds(3), note: "4242 bytes, 3 fixes")
        == "3 s: 4242 bytes, 3 fixes, fix within 4.2 m, still improving")
  }

  @Test func saysHowStrongTheSignalsAre() {
    let progress = LocationProgress.searching(path: "/dev/ttyACM0", satellitesInView: 7, satellitesUsed: 3)
    #expect(
      ProgressLine.text(progress, elapsed: .seconds(3), strongest: 24)
        == "3 s: no fix yet from /dev/ttyACM0, 7 in view, strongest 24 dB-Hz; usually 30 s")
    #expect(ProgressLine.text(progress, elapsed: .seconds(99999), strongest: 24).count <= 79)
    #expect(
      ProgressLine.text(.waitingForSource, elapsed: .zero, strongest: 24)
        == ProgressLine.text(.waitingForSource, elapsed: .zero))
  }

  @Test func neverWraps() {
    let path = "/dev/" + String(repeating: "x\u{1B}", count: 300)
    let line = ProgressLine.text(
      .searching(path: path, satellitesInView: .max, satellitesUsed: .min), elapsed: .seconds(99999))
    #expect(line.count <= 79)
    #expect(!line.contains("\u{1B}"))
  }
}
