import Geodesy
import LocationPolicy
import Testing
import TrackFormats
import locationctl

@Suite struct TripTableTests {
  private func trip(_ number: Int, _ longitude: Double) throws -> Trip {
    var builder = TripBuilder([])
    for step in 0...400 {
      let fix = SampleFix.with {
        $0.time = $0.time + .seconds(100 * step)
        $0.coordinate = SampleFix.coordinate(-77.5 - 0.001 * Double(step), longitude)
      }
      _ = builder.add(.fix(fix.fix))
    }
    let events = builder.finish()
    guard case .ended(let trip?)? = events.first else { throw NoTrip() }
    return trip
  }

  private struct NoTrip: Error {}

  /// The widest values: far south and west, eleven hours, and names that are too long or hostile.
  @Test func theTableFitsEightyColumns() throws {
    let trips = [
      NumberedTrip(number: 9, trip: try trip(9, -179.55555)),
      NumberedTrip(
        number: 10, trip: try trip(10, -179.55555), beginPlace: String(repeating: "long name ", count: 9),
        endPlace: "\u{1B}[2J\u{202E}"),
    ]
    let lines = String(decoding: TripTable.table(trips), as: UTF8.self).split(separator: "\n")
    #expect(lines[0].contains(#/BEGIN \([A-Z0-9+-]+\)/#), "\(lines)")
    #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 80 }, "\(lines)")
    #expect(lines[2].contains("long name long na…") && !lines[2].contains("\u{1B}"))
    let block = String(decoding: TripTable.block(trips[0]), as: UTF8.self)
    #expect(block.hasPrefix("Trip      9\n") && block.contains("Distance  44.7 km\nTime      11h 06m\n"), "\(block)")
  }
}
