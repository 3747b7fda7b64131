import Geodesy
import Testing
import TrackFormats
import locationctl

@Suite struct NMEAFormatTests {
  @Test func writesGGAAndRMC() {
    #expect(
      text(NMEAFormat.lines(SampleFix.full))
        == "$GPGGA,123456.789,4807.038000,N,01131.000000,E,1,09,,545.4,M,48.0,M,,*74\r\n"
        + "$GPRMC,123456.789,A,4807.038000,N,01131.000000,E,22.403,84.40,010326,,,A*54\r\n")
  }

  @Test func theDilutionIsInGGA() {
    #expect(fields(SampleFix.with { $0.hdop = 0.9 })[0][8] == "0.9")
    #expect(fields(SampleFix.with { $0.hdop = nil })[0][8] == "")
    #expect(fields(SampleFix.with { $0.hdop = 99.99 })[0][8] == "")
  }

  @Test func everyChecksumHolds() throws {
    for located in [SampleFix.full, SampleFix.bare] {
      for line in text(NMEAFormat.lines(located) + NMEAFormat.lost(at: nil)).split(separator: "\r\n") {
        let star = try #require(line.firstIndex(of: "*"))
        let sum = line[line.index(after: line.startIndex)..<star].utf8.reduce(0 as UInt8, ^)
        #expect(UInt8(line[line.index(after: star)...], radix: 16) == sum)
        #expect(line.utf8.count <= 80)
      }
    }
  }

  @Test func southAndWestAndMinutesThatCarry() {
    let located = SampleFix.with { $0.coordinate = SampleFix.coordinate(-33.99999999999, -0.5) }
    #expect(fields(located)[0][2...5] == ["3400.000000", "S", "00030.000000", "W"])
  }

  /// The altitude is above sea level, the separation is the geoid's, and neither is written in the other's place.
  @Test func heights() {
    #expect(fields(SampleFix.full)[0][9...12] == ["545.4", "M", "48.0", "M"])
    let unknown = SampleFix.with { fix in
      fix.heightAboveEllipsoid = nil
      fix.heightAboveMeanSeaLevel = nil
    }
    #expect(fields(unknown)[0][9...12] == ["", "M", "", "M"])
    // The altitude is computed with the geoid, whose undulation is written as the separation, so that the sum is the height that
    // the receiver reported.
    let made = fields(SampleFix.with { $0.heightAboveMeanSeaLevel = nil })[0]
    #expect(((Double(made[9]) ?? .nan) + (Double(made[11]) ?? .nan) - 593.4).magnitude < 0.0011)
    #expect(made[9] != "")
    #expect(fields(SampleFix.with { $0.heightAboveEllipsoid = nil })[0][9...12] == ["545.4", "M", "", "M"])
    #expect(fields(SampleFix.with { $0.kind = .twoDimensional })[0][9...12] == ["", "M", "", "M"])
  }

  @Test(arguments: [
    (FixKind.estimated, "6", "E"), (.twoDimensional, "1", "A"), (.threeDimensional, "1", "A"),
    (.differential, "2", "D"), (.rtkFixed, "4", "R"), (.rtkFloat, "5", "F"),
  ]) func qualityFollowsTheKind(kind: FixKind, quality: String, mode: String) {
    let fields = fields(SampleFix.with { $0.kind = kind })
    #expect(fields[0][6] == quality)
    #expect(fields[1][12] == mode)
    #expect(fields[1][2] == "A")
  }

  @Test func simulatedAndSuspectFixesAreMarked() {
    let simulated = fields(SampleFix.with { $0.isSimulated = true })
    #expect((simulated[0][6], simulated[1][12]) == ("8", "S"))
    let suspect = fields(SampleFix.with { $0.qualityFlag = .jammed })
    #expect((suspect[0][6], suspect[1][2], suspect[1][12]) == ("0", "V", "N"))
  }

  @Test func lossIsAVoidSentence() {
    let time = Timestamp(GNSSTime(nanosecondsSince1970: 1_772_368_496_789_000_000))
    #expect(
      text(NMEAFormat.lost(at: time))
        == "$GPGGA,123456.789,,,,,0,,,,M,,M,,*79\r\n$GPRMC,123456.789,V,,,,,,,010326,,,N*4A\r\n")
  }

  @Test func invalidNumberIsAnEmptyField() {
    let fields = fields(
      SampleFix.with { fix in
        fix.coordinate = SampleFix.coordinate(.infinity, 11)
        fix.speedMetersPerSecond = .nan
        fix.satellitesUsed = -4
      })
    #expect(fields[0][2...5] == ["", "", "", ""])
    #expect(fields[0][7] == "00")
    #expect(fields[1][7] == "")
  }

  /// The fields of GGA and of RMC without the checksum.
  private func fields(_ located: LocatedFix) -> [[String]] {
    text(NMEAFormat.lines(located)).split(separator: "\r\n").map { line in
      line.prefix { $0 != "*" }.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    }
  }
}
