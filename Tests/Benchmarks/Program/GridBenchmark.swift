import Geodesy
import LocationPolicy

/// City-level answers to 10,000 requests, one hour apart, at a place whose fixes scatter by 30 m: what their average reveals.
func gridBenchmark() -> Int32 {
  let requests = 10_000
  let home = Coordinate(latitude: Angle(degrees: 47.284986), longitude: Angle(degrees: 8.565008))
  var generator = SystemRandomNumberGenerator()
  var reducer = ReducedPosition(key: (generator.next(), generator.next()))
  var points: Set<Coordinate> = []
  for request in 0..<requests {
    // As the sum of twelve uniform random numbers, which is close enough to a normal distribution.
    func error() -> Double { (0..<12).reduce(-6) { sum, _ in sum + .random(in: 0..<1, using: &generator) } * 30 }
    let (north, east) = (error(), error())
    let place = Geodesic.direct(
      from: home, course: Angle(radians: Math.atan2(east, north)), distance: Meters(Math.hypot(north, east))
    ).coordinate
    let time = GNSSTime(nanosecondsSince1970: 1_790_000_000_000_000_000 + Int64(request) * 3_600_000_000_000)
    let fix = PositionFix(
      time: time, timeValidity: .confirmed, receivedAt: Instant(nanoseconds: Int64(request) * 3_600_000_000_000),
      coordinate: place, horizontalRadius68: Meters(45), kind: .threeDimensional, technologies: .gnss)
    points.insert(reducer.reduce(fix).coordinate)
  }
  Figure(
    name: "city-level answers of \(requests) noisy fixes, different points", value: Double(points.count), unit: "",
    reach: 1
  ).write()
  return 0
}
