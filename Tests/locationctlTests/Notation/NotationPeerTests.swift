import Foundation
import Geodesy
import TestSupport
import Testing

/// 10,000 random positions and the borders of zones, bands and areas, in the notations of other programs: not one differs.
struct NotationPeerTests {
  /// A position as text, which both sides read, and as it is read.
  struct Sample {
    let text: String
    let place: Coordinate
  }

  /// Each the same in every run; evenly spread over the earth.
  static let samples: [Sample] = {
    var generator = SplitMix64(seed: 2026)
    var texts: [String] = []
    for _ in 0..<10_000 {
      let latitude = asin(Double.random(in: -1...1, using: &generator)) * 180 / .pi
      texts.append(String(format: "%.9f %.9f", latitude, Double.random(in: -180..<180, using: &generator)))
    }
    // Poles, date line, equator, the zones of Norway and Svalbard, the borders of bands and of the UPS areas.
    let latitudes = [
      -90, -85, -80.000_001, -80, -72, -40, -8, -0.000_001, 0, 0.000_001, 8, 32, 55.999_999, 56, 60, 63.999_999, 64,
    ]
    let northern = [71.999_999, 72, 78, 83.999_999, 84, 87.5, 90]
    let longitudes = [
      -180, -179.999_999, -90, -0.000_001, 0, 2.999_999, 3, 5.999_999, 6, 8.999_999, 9, 11.999_999, 12, 20.999_999,
    ]
    let eastern = [21, 32.999_999, 33, 41.999_999, 42, 90, 179.999_999]
    for latitude in latitudes + northern {
      for longitude in longitudes + eastern { texts.append(String(format: "%.6f %.6f", latitude, longitude)) }
    }
    return texts.compactMap { text in
      let numbers = text.split(separator: " ").compactMap { Double($0) }
      return Coordinate(checkingLatitude: numbers[0], longitude: numbers[1]).map { Sample(text: text, place: $0) }
    }
  }()

  /// The first few differences.
  private func expectSame(_ found: [String], _ expected: [String], _ name: String) {
    #expect(found.count == expected.count)
    let different = zip(zip(found, expected), Self.samples).filter { $0.0.0 != $0.0.1 }
    #expect(
      different.isEmpty,
      "\(name): \(different.count) differ: \(different.prefix(5).map { ($0.1.text, $0.0.0, $0.0.1) })")
  }

  // MARK: GeoConvert

  @Suite(.enabled(if: PeerTools.hasGeoConvert, "GeoConvert is not there: 'apt-get install geographiclib-tools'"))
  struct GeographicLib {
    private let texts = samples.map(\.text)

    private func convert(_ options: String..., of lines: [String]? = nil) throws -> [String] {
      try PeerTools.lines(of: PeerTools.geoConvert, options + ["--input-file", "%"], on: lines ?? texts)
    }

    @Test(arguments: [0, 1, 3, 5]) func mgrs(digits: Int) throws {
      let found = try samples.map { try #require(GridReference.text($0.place, digits: digits)) }
      NotationPeerTests().expectSame(found, try convert("-m", "-p", "\(digits - 5)"), "MGRS")
    }

    /// Their texts name the hemisphere; the digits are those of the text with a band.
    @Test(arguments: [0, 2]) func utm(decimals: Int) throws {
      let found = try samples.map { sample in
        let words = try #require(GridCoordinate.text(sample.place, decimals: decimals)).split(separator: " ")
        let zone = words[0].dropLast()
        return "\(zone)\(sample.place.latitude.degrees >= 0 ? "n" : "s") \(words[1]) \(words[2])"
      }
      NotationPeerTests().expectSame(found, try convert("-u", "-p", "\(decimals)"), "UTM")
    }

    @Test func utmToNanometers() throws {
      var worst = 0.0
      for (sample, line) in zip(samples, try convert("-u", "-p", "9")) {
        let words = line.split(separator: " ").compactMap { Double($0) }
        let grid = try #require(GridCoordinate(sample.place))
        worst = max(
          worst, (grid.easting - words[words.count - 2]).magnitude, (grid.northing - words[words.count - 1]).magnitude)
      }
      #expect(worst < 5e-9, "\(worst)")
    }

    @Test(arguments: [0, 1, 2]) func dms(decimals: Int) throws {
      let found = try samples.map { sample in
        let text = try #require(SexagesimalText.text(sample.place, decimals: decimals))
        // They write two and three digits of degrees, and a letter after them.
        let angles = text.split(separator: " ").map { $0.replacing("°", with: "d") }
        func padded(_ text: String, _ width: Int) -> String {
          String(repeating: "0", count: width - text.utf8.count) + text
        }
        let whole = angles.map { String($0.prefix { $0 != "d" }) }
        return zip(zip(angles, whole), [2, 3]).map { padded($0.1, $1) + $0.0.dropFirst($0.1.count) }.joined(
          separator: " ")
      }
      NotationPeerTests().expectSame(found, try convert("-d", "-p", "\(decimals - 1)"), "DMS")
    }

    /// All notations of both sides are read alike: the centers of squares, and the positions of grid coordinates.
    @Test(arguments: ["-m", "-u", "-d"]) func reading(notation: String) throws {
      let lines = try convert(notation, "-p", notation == "-m" ? "0" : "4")
      let expected = try convert("-g", "-p", "6", of: lines)
      var worst = 0.0
      for (line, answer) in zip(lines, expected) {
        let numbers = answer.split(separator: " ").compactMap { Double($0) }
        let theirs = try #require(Coordinate(checkingLatitude: numbers[0], longitude: numbers[1]))
        let ours = try #require(Coordinate(parsing: line), "\(line)")
        worst = max(worst, Geodesic.inverse(from: ours, to: theirs).distance.value)
      }
      // Their numbers have 11 decimals, a micrometer.
      #expect(lines.count == samples.count && worst < 2e-6, "\(worst)")
    }
  }

  // MARK: Python

  @Suite(.enabled(if: PeerTools.hasPython, "the Python packages are not there: '.ci/pytools' fetches them from PyPI"))
  struct PythonPackages {
    private let texts = samples.map(\.text)

    @Test(arguments: [2, 4, 8, 10, 11, 15]) func plusCodes(digits: Int) throws {
      let found = try samples.map { try #require(PlusCode.text($0.place, digits: digits)) }
      let expected = try PeerTools.python(
        "openlocationcode.openlocationcode as olc", "olc.encode(float(words[0]), float(words[1]), \(digits))", on: texts
      )
      NotationPeerTests().expectSame(found, expected, "plus codes")
    }

    @Test func plusCodesAreRead() throws {
      let codes = samples.compactMap { PlusCode.text($0.place, digits: 11) }
      let lines = try PeerTools.python(
        "openlocationcode.openlocationcode as olc",
        "olc.decode(words[0]).latitudeCenter, olc.decode(words[0]).longitudeCenter", on: codes)
      for (code, line) in zip(codes, lines) {
        let numbers = line.split(separator: " ").compactMap { Double($0) }
        let place = try #require(Coordinate(parsing: code))
        #expect((place.latitude.degrees - numbers[0]).magnitude < 1e-11, "\(code)")
        #expect((place.longitude.degrees - numbers[1]).magnitude < 1e-11, "\(code)")
      }
      #expect(codes.count == samples.count && lines.count == codes.count)
    }

    /// The package has no field for the north pole.
    @Test(arguments: [2, 4, 6, 8]) func locators(characters: Int) throws {
      let inside = samples.filter { $0.place.latitude.degrees < 90 }
      let found = try inside.map { try #require(MaidenheadLocator.text($0.place, characters: characters)) }
      let expected = try PeerTools.python(
        "maidenhead", "maidenhead.to_maiden(float(words[0]), float(words[1]), precision=\(characters / 2))",
        on: inside.map(\.text))
      let different = zip(zip(found, expected), inside).filter { $0.0.0 != $0.0.1 }
      #expect(found.count == expected.count)
      #expect(different.isEmpty, "\(different.count): \(different.prefix(5).map { ($0.1.text, $0.0.0, $0.0.1) })")
    }

    @Test func locatorsAreRead() throws {
      let locators = samples.compactMap { MaidenheadLocator.text($0.place, characters: 8) }
      let lines = try PeerTools.python("maidenhead", "*maidenhead.to_location(words[0], center=True)", on: locators)
      for (locator, line) in zip(locators, lines) {
        let numbers = line.split(separator: " ").compactMap { Double($0) }
        let place = try #require(Coordinate(parsing: locator))
        #expect((place.latitude.degrees - numbers[0]).magnitude < 1e-9, "\(locator)")
        #expect((place.longitude.degrees - numbers[1]).magnitude < 1e-9, "\(locator)")
      }
      #expect(locators.count == samples.count && lines.count == locators.count)
    }
  }
}
