import Foundation
import Geodesy
import Testing

@Suite struct GeoidTests {
  /// The sample output of NGA's own program for EGM96 (F477, OUTPUT.DAT), in meters. Measured: 0.19 m off at the fourth point,
  /// where the geoid is steep, and at most 0.04 m at the others.
  @Test(arguments: [
    (38.6281550, 269.7791550, -31.628), (-14.6212170, 305.0211140, -2.969), (46.8743190, 102.4487290, -43.575),
    (-23.6174460, 133.8747120, 15.871), (38.6254730, 359.9995000, 50.066), (-0.4667440, 0.0023000, 17.329),
  ]) func publishedValues(latitude: Double, longitude: Double, undulation: Double) throws {
    // Longitudes west of Greenwich are negative, as in the rest of the package.
    let found = try #require(Geoid.undulation(at: place(latitude, longitude > 180 ? longitude - 360 : longitude)))
    #expect((found.value - undulation).magnitude < 0.2)
    // Full turns of the longitude mean the same place.
    #expect((Geoid.undulation(at: place(latitude, longitude))?.value ?? .nan) - found.value < 1e-9)
  }

  @Test func aPoleIsOnePlace() throws {
    for (latitude, undulation) in [(90.0, 13.606), (-90.0, -29.534)] {
      for longitude in [-180.0, -90, 0, 0.25, 77.7, 180] {
        let found = try #require(Geoid.undulation(at: place(latitude, longitude)))
        #expect((found.value - undulation).magnitude < 0.0126)
      }
    }
  }

  @Test func nothingJumpsAtTheDateLineNorAtThePoles() throws {
    for latitude in stride(from: -90.0, through: 90, by: 0.37) {
      let west = try #require(Geoid.undulation(at: place(latitude, -180)))
      #expect(Geoid.undulation(at: place(latitude, 180)) == west)
      let near = try #require(Geoid.undulation(at: place(latitude, 180 - 1e-7)))
      #expect((near.value - west.value).magnitude < 1e-4)
    }
    for latitude in [-89.9999999, 89.9999999] {
      let pole = try #require(Geoid.undulation(at: place(latitude.rounded(), 0)))
      for longitude in stride(from: -180.0, through: 180, by: 7.3) {
        let near = try #require(Geoid.undulation(at: place(latitude, longitude)))
        #expect((near.value - pole.value).magnitude < 1e-4)
      }
    }
  }

  @Test func invalidPlaceHasNone() {
    for (latitude, longitude) in [(90.1, 0), (-91, 0), (.nan, 0), (0, .nan), (0, .infinity), (.infinity, 0)] {
      #expect(Geoid.undulation(at: place(latitude, longitude)) == nil)
    }
  }

  static let fullGrid = "/usr/share/proj/egm96_15.gtx"

  /// Every node of the 15′ grid from which the package's grid was made: three quarters of them lie between the package's nodes.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: fullGrid), "needs Debian's proj-data"))
  func theFullGridAgrees() throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.fullGrid)))
    let (rows, columns) = (721, 1440)
    try #require(bytes.count == 40 + 4 * rows * columns)
    var (weighted, weights, worst) = (0.0, 0.0, 0.0)
    for row in 0..<rows {
      let latitude = -90 + 0.25 * Double(row)
      let weight = cos(latitude * .pi / 180)
      for column in 0..<columns {
        let index = 40 + 4 * (row * columns + column)
        let bits = bytes[index..<index + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        let found = try #require(Geoid.undulation(at: place(latitude, -180 + 0.25 * Double(column)))).value
        let difference = (found - Double(Float(bitPattern: bits))).magnitude
        (weighted, weights) = (weighted + weight * difference * difference, weights + weight)
        worst = max(worst, difference)
        // The package's own nodes are off by at most half a step.
        if row.isMultiple(of: 2), column.isMultiple(of: 2) { try #require(difference <= 0.01251) }
      }
    }
    let rootMeanSquare = (weighted / weights).squareRoot()
    #expect(rootMeanSquare < 0.071, "\(rootMeanSquare) m")
    #expect(worst < 2.0, "\(worst) m")
  }

  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
  }
}
