import CAllocationCounter
import Foundation
import Geodesy
import Testing

/// The distance between close coordinates, compared with the geodesic.
@Suite struct ShortLineTests {
  private func coordinate(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude))
  }

  /// Below 10⁻⁶ everywhere, also at the poles, across the antimeridian, and on both sides of the limit of the approximation.
  @Test func theErrorIsBelowOneMillionth() {
    var worst = 0.0
    for latitude in stride(from: -90.0, through: 90.0, by: 0.25) {
      for longitude in [-180.0, -0.05, 8.5, 179.97] {
        for north in [-0.11, -0.1, -0.05, -1e-3, -1e-5, 0, 1e-5, 1e-3, 0.05, 0.1, 0.11] {
          for east in [-0.11, -0.1, -0.03, -1e-4, 0, 1e-5, 1e-3, 0.05, 0.1, 0.11] {
            let turned = (longitude + east).remainder(dividingBy: 360)
            let (first, second) = (
              coordinate(latitude, longitude), coordinate(min(90, max(-90, latitude + north)), turned)
            )
            let exact = Geodesic.inverse(from: first, to: second).distance.value
            let found = Geodesic.distance(from: first, to: second).value
            // The digits of degrees are worth some nanometers.
            worst = max(worst, ((found - exact).magnitude - 1e-7) / max(exact, 1e-3))
          }
        }
      }
    }
    #expect(worst < 1e-6, "\(worst)")
    #expect(worst > 1e-7, "the approximation was not used")
  }

  @Test func farCoordinatesAreComparedExactly() {
    let (one, other) = (coordinate(-41, 174), coordinate(40.5, -6))
    #expect(Geodesic.distance(from: one, to: other) == Geodesic.inverse(from: one, to: other).distance)
    #expect(Geodesic.distance(from: one, to: one).value == 0)
  }

  @Test(.enabled(if: CAllocationCounter_isAvailable(), "a sanitizer has an allocator of its own"))
  func nothingIsAllocated() {
    var sum = 0.0
    let first = coordinate(47, 8)
    CAllocationCounter_start()
    for index in 0..<1000 { sum += Geodesic.distance(from: first, to: coordinate(47, 8 + Double(index) * 1e-5)).value }
    #expect(CAllocationCounter_stop() == 0)
    #expect(sum > 0)
  }
}
