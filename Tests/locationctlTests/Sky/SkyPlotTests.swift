import LocationIPC
import TestSupport
import Testing
import locationctl

/// The plot of a sky: which marks are drawn, and where.
@Suite struct SkyPlotTests {
  private func plot(
    _ report: SkyReport, _ columns: Int, _ rows: Int, usesUnicode: Bool = false, usesColor: Bool = false,
    silence: Duration = .zero
  ) -> [String] {
    SkyPlot(report, silence: silence).lines(
      SkyStyle(columns: columns, rows: rows, usesColor: usesColor, usesUnicode: usesUnicode))
  }

  private func expect(_ lines: [String], _ golden: String) {
    let expected = golden.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.count == expected.count)
    for (line, expected) in zip(lines, expected) { #expect(line == expected) }
  }

  // MARK: - Goldens

  /// The rings are the horizon, 30° and 60°: G05 is on the inner ring in the east, G12, R09 and E31 are on the middle ring in the
  /// north, the south and the west, C20 is in the south-west at half the height; the position of S27 is unknown. E31, C20 and S27
  /// are not used. Thirty characters would be 60 dB-Hz; here there are 24.
  @Test func anASCIITerminal() {
    expect(
      plot(SampleSky.few, 60, 16),
      """
      3D fix  3 of 6 satellites used  HDOP 0.9  VDOP 1.3  PDOP 1.6
      /dev/ttyACM0  12:34:56 UTC
               .. .N. ..           G05 ##################       46
            ..           ..        G12 ############             30
          ..    . G12 .    ..      R09 ##########               24
        ..   ...       ...   ..    e31 ------                   15
        .   .    . . .    .   .    c20                           -
       .   .   ..     ..   .   .   s27 ----------------         40
       W  e31  .   +  G05  .   E
       .   .   ..     ..   .   .
        .   . c20. . .    .   .
        ..   ...       ...   ..
          ..    . R09 .    ..
            ..           ..
               .. .S. ..
      small: not used  G GPS  R GLONASS  E Galileo  C BeiDou
      """)
  }

  @Test func aTerminalWithBlockElements() {
    expect(
      plot(SampleSky.few, 60, 16, usesUnicode: true),
      """
      3D fix  3 of 6 satellites used  HDOP 0.9  VDOP 1.3  PDOP 1.6
      /dev/ttyACM0  12:34:56 UTC
               ·· ·N· ··           G05 ██████████████████▍      46
            ··           ··        G12 ████████████             30
          ··    · G12 ·    ··      R09 █████████▌               24
        ··   ···       ···   ··    e31 ▒▒▒▒▒▒                   15
        ·   ·    · · ·    ·   ·    c20                           -
       ·   ·   ··     ··   ·   ·   s27 ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒         40
       W  e31  ·   +  G05  ·   E
       ·   ·   ··     ··   ·   ·
        ·   · c20· · ·    ·   ·
        ··   ···       ···   ··
          ··    · R09 ·    ··
            ··           ··
               ·· ·S· ··
      small: not used  G GPS  R GLONASS  E Galileo  C BeiDou
      """)
  }

  @Test func aTerminalOf80Columns() {
    expect(
      plot(SampleSky.few, 80, 23),
      """
      3D fix  3 of 6 satellites used  HDOP 0.9  VDOP 1.3  PDOP 1.6  /dev/ttyACM0
      12:34:56 UTC
                   . .. .N. .. .               G05 #######################        46
                ...             ...            G12 ###############                30
             ..                     ..         R09 ############                   24
           ..        .. G12 ..        ..       e31 --------                       15
          .       ..           ..       .      c20                                 -
         .      ..               ..      .     s27 --------------------           40
        .     ..      .. . ..      ..     .
       .      .     ..       ..     .      .
       .     .     .           .     .     .
       W    e31    .     +    G05    .     E
       .     .     .          ..     .     .
       .      .     ..       .      .      .
        .     ..  c20 .. . ..      ..     .
         .      ..               ..      .
          .       ..           ..       .
           ..        .. R09 ..        ..
             ..                     ..
                ...             ...
                   . .. .S. .. .

      small: not used  G GPS  R GLONASS  E Galileo  C BeiDou  S SBAS
      """)
  }

  @Test func aNarrowOneHasBarsAlone() {
    expect(
      plot(SampleSky.few, 40, 9),
      """
      3D fix  3/6 used  HDOP 0.9  VDOP 1.3
      PDOP 1.6  /dev/ttyACM0  12:34:56 UTC
      G05 #######################        46
      G12 ###############                30
      R09 ############                   24
      e31 --------                       15
      c20                                 -
      s27 --------------------           40
      small: not used  G GPS  R GLONASS
      """)
  }

  @Test func aSmallerOneHasTheHeadlineAlone() {
    expect(
      plot(SampleSky.few, 39, 9),
      """
      3D fix  3/6 used  HDOP 0.9  VDOP 1.3
      PDOP 1.6  /dev/ttyACM0  12:34:56 UTC
      """)
    #expect(plot(SampleSky.few, 40, 8).count == 2)
    #expect(plot(SampleSky.few, 1, 1) == ["3"])
  }

  @Test func anEmptySky() {
    expect(
      plot(SampleSky.report([]), 60, 14),
      """
      no fix  0 satellites in view  /dev/ttyACM0
             .. .N. ..         none in view
          . .         . .
         .   .. ... ..   .
        .   .    .    .   .
       .   .  ..   ..  .   .
       W  .   .  +  .   .  E
       .   .  ..   ..  .   .
        .   .    .    .   .
         .   .. ... ..   .
          . .         . .
             .. .S. ..


      """)
  }

  @Test func aListThatHasNotComeYet() {
    let lines = plot(SampleSky.report(), 60, 14)
    #expect(lines[0] == "no fix  no satellites listed  /dev/ttyACM0")
    #expect(lines[1].hasSuffix("  not listed yet"))
  }

  /// G01 is at the zenith, G07 one degree from it; G02 in the east and G06 in the south are drawn beside the letters, because
  /// they would have the same places; G03 is below the western horizon and is drawn on it; G04 is in the south-east, G05 in the
  /// north. Which satellites are used is unknown.
  @Test func theZenithTheHorizonAndBelow() {
    let places = [(1, 90, 0), (2, 0, 90), (3, -5, 270), (4, 0, 135), (5, 0, 359), (6, 0, 180), (7, 89, 0)]
    expect(
      plot(SampleSky.report(places.map { SampleSky.satellite(.gps, $0.0, elevation: $0.1, azimuth: $0.2) }), 60, 14),
      """
      no fix  7 satellites in view  /dev/ttyACM0
             .. .N. ..         G01                               -
          . .   G05   . .      G02                               -
         .   .. ... ..   .     G03                               -
        .   .    .    .   .    G04                               -
      G03  .  ..G07..  .  G02  G05                               -
       W  .   . G01 .   .  E   G06                               -
       .   .  ..   ..  .   .   G07                               -
        .   .    .    .   .
         .   .. ... ..   .
          . .   G06   .G04
             .. .S. ..

      G GPS
      """)
  }

  @Test func sixtyFourOnANarrowTerminal() {
    expect(
      plot(SampleSky.many, 40, 12),
      """
      no fix  64 satellites in view
      /dev/ttyACM0
      g01 10  g10 28  r03 46  r12 19  e05 37
      G02 17  G11 35  R04 53  R13 26  E06 44
      G03 24  G12 42  R05 15  R14 33  E07 51
      g04 31  g13 49  r06 22  r15 40  e08 13
      G05 38  G14 11  R07 29  R16 47  E09 20
      G06 45  G15 18  R08 36  E01 54  E10 27
      g07 52  g16 25  r09 43  e02 16  e11 34
      G08 14  R01 32  R10 50  E03 23  E12 41
      G09 21  R02 39  R11 12  E04 30  E13 48
      19 more  small: not used  G GPS
      """)
  }

  // MARK: - Rules

  /// Every satellite with a known direction is drawn once or counted as left out.
  @Test(arguments: [(80, 24), (100, 30), (120, 40), (200, 60)]) func sixtyFourFindRoom(columns: Int, rows: Int) {
    let lines = plot(SampleSky.many, columns, rows)
    let width = 4 * min((rows - 3) / 2, 20) + 3
    let disk = lines.dropFirst().dropLast().map { $0.prefix(width) }.joined(separator: "\n").uppercased()
    let drawn = SampleSky.many.satellites?.count { disk.contains($0.name) } ?? 0
    let left = lines.last.flatMap { line in
      line.split(separator: "  ").first { $0.hasSuffix("not shown: the window is too small") }.flatMap {
        Int($0.prefix { $0 != " " })
      }
    }
    #expect(drawn + (left ?? 0) == 64)
    #expect(drawn >= 55)
    #expect((left == nil) == (drawn == 64))
  }

  /// For every sky and every size of the terminal.
  @Test func nothingIsWiderOrHigherThanTheTerminal() {
    var random = SplitMix64(seed: 11)
    for _ in 0..<2000 {
      var report = SampleSky.report(
        (0..<Int.random(in: 0...SkyReport.maximumSatellites, using: &random)).map { _ in
          SampleSky.satellite(
            SatelliteConstellation.allCases.randomElement(using: &random) ?? .gps,
            Int.random(in: -5...300, using: &random),
            elevation: Bool.random(using: &random) ? Int.random(in: -100...100, using: &random) : nil,
            azimuth: Bool.random(using: &random) ? Int.random(in: -400...400, using: &random) : nil,
            signal: Bool.random(using: &random) ? Int.random(in: 0...300, using: &random) : nil,
            isUsed: [true, false, nil].randomElement(using: &random) ?? nil)
        })
      report.device = "/dev/" + String(repeating: "\u{1B}[2J日本", count: Int.random(in: 0...20, using: &random))
      report.hdop = Double.random(in: -1...1e12, using: &random)
      let (columns, rows) = (Int.random(in: 1...220, using: &random), Int.random(in: 1...80, using: &random))
      let lines = plot(
        report, columns, rows, usesUnicode: Bool.random(using: &random),
        silence: .seconds(Int.random(in: 0...9, using: &random)))
      #expect(lines.count <= rows)
      #expect(lines.allSatisfy { $0.unicodeScalars.count <= columns })
      #expect(!lines.contains { $0.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) } })
    }
  }

  /// Colors change no character, end on their line, and are the only addition.
  @Test(arguments: [SampleSky.few, SampleSky.many, SampleSky.report([])]) func coloursOnlyColour(report: SkyReport) {
    let plain = plot(report, 80, 24)
    let colored = plot(report, 80, 24, usesColor: true)
    #expect(colored.map { $0.replacing(/\u{1B}\[[0-9;]+m/, with: "") } == plain)
    for line in colored where line.contains("\u{1B}") {
      #expect(line.hasSuffix("\u{1B}[0m") || !line.hasPrefix("\u{1B}"))
    }
    #expect(colored != plain)
  }

  @Test func thoseUsedAreBoldInTheColourOfTheirSystem() {
    let lines = plot(SampleSky.few, 60, 14, usesColor: true).joined(separator: "\n")
    #expect(lines.contains("\u{1B}[0;1;32mG05"))
    #expect(lines.contains("\u{1B}[0;1;31mR09"))
    #expect(lines.contains("\u{1B}[0;34me31"))
    #expect(lines.contains("\u{1B}[0;33mc20"))
  }

  // MARK: - Headline

  @Test func silenceComesFirst() {
    #expect(plot(SampleSky.few, 80, 24, silence: .milliseconds(2900))[0].hasPrefix("3D fix"))
    #expect(plot(SampleSky.few, 80, 24, silence: .milliseconds(7900))[0].hasPrefix("silent for 7 s  3D fix"))
  }

  @Test func theEndOfALongNameIsShown() {
    var report = SampleSky.report()
    report.device = "/dev/serial/by-id/usb-u-blox_AG_-_www.u-blox.com_u-blox_GNSS_receiver-if00"
    #expect(plot(report, 120, 24)[0] == "no fix  no satellites listed  ..w.u-blox.com_u-blox_GNSS_receiver-if00")
    report.device = "/dev/日本\u{1B}[2J"
    #expect(plot(report, 120, 24)[0] == "no fix  no satellites listed  /dev/???[2J")
  }

  @Test func anOutdatedListIsReported() {
    var report = SampleSky.few
    report.listAge = .milliseconds(4200)
    report.isSimulated = true
    #expect(
      plot(report, 120, 24)[0]
        == "3D fix  3 of 6 satellites used  listed 4 s ago  HDOP 0.9  VDOP 1.3  PDOP 1.6  simulated  /dev/ttyACM0  12:34:56 UTC"
    )
  }
}
