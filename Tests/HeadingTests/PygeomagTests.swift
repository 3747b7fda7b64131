import Foundation
import Geodesy
import HeadingSources
import TestSupport
import Testing

/// Python with the packages that `.ci/pytools` fetches.
private let python = ".build/pytools/bin/python3"
private let hasPygeomag =
  FileManager.default.isExecutableFile(atPath: python)
  && (try? FileManager.default.contentsOfDirectory(atPath: ".build/pytools/lib"))?.contains { version in
    FileManager.default.fileExists(atPath: ".build/pytools/lib/\(version)/site-packages/pygeomag")
  } == true

/// pygeomag (https://pypi.org/project/pygeomag/), an independent implementation of the World Magnetic Model.
@Suite(.enabled(if: hasPygeomag, "pygeomag is not there: '.ci/pytools' fetches it from PyPI"))
struct PygeomagTests {
  @Test func aThousandPoints() throws {
    var random = SplitMix64(seed: 2025)
    let points = (0..<1000).map { _ in
      [
        Double.random(in: -90...90, using: &random), .random(in: -180...180, using: &random),
        .random(in: 0...600, using: &random), .random(in: 2025...2030, using: &random),
      ]
    }
    let peer = try peerValues(points)
    try #require(peer.count == points.count)
    for (point, expected) in zip(points, peer) {
      let place = Coordinate(latitude: Angle(degrees: point[0]), longitude: Angle(degrees: point[1]))
      let found = try #require(
        MagneticModel.field(at: place, height: Meters(point[2] * 1000), decimalYear: point[3]))
      #expect((found.declination.degrees - expected[0]).remainder(dividingBy: 360).magnitude <= 0.001)
      #expect((found.inclination.degrees - expected[1]).magnitude <= 0.001)
      #expect((found.totalNanotesla - expected[2]).magnitude <= 0.1)
    }
  }

  private func peerValues(_ points: [[Double]]) throws -> [[Double]] {
    let program = """
      import json, sys
      from pygeomag import GeoMag
      model = GeoMag(coefficients_file="wmm/WMM_2025.COF")
      results = [model.calculate(glat=p[0], glon=p[1], alt=p[2], time=p[3]) for p in json.load(sys.stdin)]
      print(json.dumps([[r.d, r.i, r.f] for r in results]))
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = ["-c", program]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    // The program reads everything before it writes.
    input.fileHandleForWriting.write(try JSONSerialization.data(withJSONObject: points))
    try input.fileHandleForWriting.close()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return try #require(try JSONSerialization.jsonObject(with: text) as? [[Double]])
  }
}
