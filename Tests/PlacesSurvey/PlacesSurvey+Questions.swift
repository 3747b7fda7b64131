package import Geodesy
package import PlacesCore
package import PlacesStore
import TestSupport

/// Questions that another program is asked as well.
extension PlacesSurvey {
  package struct Question: Sendable {
    package var address: Address
    /// The middle of the house.
    package var middle: Coordinate
    /// The position that is asked for, with a radius of `radius`; `nil`: the text is asked.
    package var position: Coordinate?
    package var text: String
    /// The first answer of this project.
    package var place: Place?
    /// How long it took.
    package var time: Duration
  }

  /// The radius of the positions in questions, meters.
  package static let radius = 4.0

  /// - Returns: `count` questions for positions, each followed by one for the address there.
  package func questions(in file: PlacesFile, count: Int, seed: UInt64) throws -> [Question] {
    var random = SplitMix64(seed: seed)
    let clock = ContinuousClock()
    var questions: [Question] = []
    guard !addresses.isEmpty else { return [] }
    for _ in 0..<count {
      let address = addresses[Int.random(in: 0..<addresses.count, using: &random)]
      let plane = LocalPlane(around: address.outline[0])
      let meters = address.outline.map { plane.meters($0) }
      let sum = meters.reduce(SIMD2<Float>(0, 0), +) / Float(meters.count)
      func coordinate(_ east: Double, _ north: Double) -> Coordinate {
        Coordinate(
          latitude: Angle(degrees: (Double(plane.origin.y) + north / plane.scaleY) / 1e6),
          longitude: Angle(degrees: (Double(plane.origin.x) + east / plane.scaleX) / 1e6))
      }
      let (east, north) = (Double(sum.x), Double(sum.y))
      let deviation = Self.radius / 1.515
      let position = coordinate(
        east + Self.normal(&random) * deviation, north + Self.normal(&random) * deviation)
      let text = "\(address.street) \(address.number)" + (address.town.map { ", \($0)" } ?? "")
      for asked in [position, nil] {
        var place: Place?
        let time = try clock.measure {
          if let asked {
            place = try file.place(at: ReverseQuery(asked, accuracy: Meters(Self.radius)))
          } else {
            place = try file.places(matching: ForwardQuery(.text(text))).first
          }
        }
        questions.append(
          Question(
            address: address, middle: coordinate(east, north), position: asked, text: text, place: place, time: time))
      }
    }
    return questions
  }
}
