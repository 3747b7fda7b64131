import Geodesy
import LocationIPC
import Testing
import TrackFormats
import locationctl

/// The satellites as lines: JSON for scripts, a table for people.
@Suite struct SkyFormatTests {
  @Test func allThatIsKnownIsWritten() {
    var report = SampleSky.report([
      SampleSky.satellite(.gps, 5, elevation: 60, azimuth: 90, signal: 46, isUsed: true),
      SampleSky.satellite(.sbas, 127, isUsed: false),
    ])
    report.satellites?[0].isHealthy = true
    report.satellites?[0].signals = [
      SatelliteSignal(name: "L1 C/A", decibelHertz: 46), SatelliteSignal(name: "L5-Q", decibelHertz: nil),
    ]
    (report.time, report.timeValidity) = (SampleSky.time, .confirmed)
    report.receiver = "ublox-5C0FFEE001"
    report.fix = .differential
    (report.hdop, report.vdop, report.pdop) = (0.94, 1.25, 1.5)
    report.satellitesUsed = 1
    report.listAge = .milliseconds(2500)
    report.isSimulated = true
    #expect(
      text(SkyJSON.line(report)) == """
        {"schema":1,"timestamp":"2026-03-01T12:34:56.789Z","timeConfirmed":true,"device":"/dev/ttyACM0","receiver":"ublox-5C0FFEE001",\
        "fix":"dgnss","hdop":0.94,"vdop":1.25,"pdop":1.50,"satellitesInView":2,"satellitesUsed":1,"satellitesAge":2.500,\
        "satellites":[{"constellation":"gps","id":5,"name":"G05","elevation":60,"azimuth":90,"cn0":46,"used":true,\
        "healthy":true,"signals":[{"signal":"L1 C/A","cn0":46},{"signal":"L5-Q"}]},\
        {"constellation":"sbas","id":127,"name":"S27","used":false}],"simulated":true}

        """)
  }

  /// An empty list is different from an absent list.
  @Test func unknownValuesAreAbsent() {
    #expect(text(SkyJSON.line(SampleSky.report())) == #"{"schema":1,"device":"/dev/ttyACM0","fix":"none"}"# + "\n")
    #expect(
      text(SkyJSON.line(SampleSky.report([])))
        == #"{"schema":1,"device":"/dev/ttyACM0","fix":"none","satellitesInView":0,"satellites":[]}"# + "\n")
  }

  @Test(arguments: [
    (SatelliteConstellation.gps, 5, "G05"), (.glonass, 12, "R12"), (.galileo, 31, "E31"), (.beidou, 20, "C20"),
    (.qzss, 2, "J02"), (.navic, 3, "I03"), (.sbas, 127, "S27"), (.sbas, 120, "S20"), (.imes, 1, "M01"),
    (.gps, 0, "G00"), (.beidou, 255, "C99"), (.sbas, 7, "S00"),
  ]) func satellitesAreNamedAsInRINEX(constellation: SatelliteConstellation, number: Int, name: String) {
    #expect(SatelliteReport(constellation, number).name == name)
  }

  @Test func aTableForPeople() {
    var report = SampleSky.few
    report.satellites?[4].isHealthy = false
    #expect(
      text(SkyTable.block(report)) == """
        3D fix  3 of 6 satellites used  HDOP 0.9  VDOP 1.3  PDOP 1.6  /dev/ttyACM0  12:34:56 UTC
        NAME  SYSTEM   ELEVATION  AZIMUTH  C/N0  USED
        G05   GPS             60       90    46  yes
        G12   GPS             30        0    30  yes
        R09   GLONASS         30      180    24  yes
        E31   Galileo         30      270    15  no
        C20   BeiDou          45      225     -  no  unhealthy
        S27   SBAS             -        -    40  no


        """)
    #expect(text(SkyTable.block(SampleSky.report())) == "no fix  no satellites listed  /dev/ttyACM0\n\n")
  }

  /// A device's name cannot control the terminal.
  @Test func hostileNamesAreHarmless() {
    var report = SampleSky.few
    report.device = "/dev/\u{1B}]0;owned\u{07}\u{9B}31m\u{202E}"
    report.receiver = "x\u{1B}[2J"
    for line in [text(SkyJSON.line(report)), text(SkyTable.block(report))] {
      #expect(!line.unicodeScalars.contains { $0.isHarmful && $0 != "\n" })
    }
  }
}
