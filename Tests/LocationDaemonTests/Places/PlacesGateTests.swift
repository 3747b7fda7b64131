import Geodesy
import LocationIPC
import LocationPolicy
import LocationdService
import PlacesCore
import Testing

/// Whose queries for places leave the machine, and with which position.
struct PlacesGateTests {
  private var bed = GateBed()
  private static let exact = Coordinate(latitude: Angle(degrees: 47.14151), longitude: Angle(degrees: 9.52154))
  private let request = ClientRequest.places(RequestID(1), .at(ReverseQuery(Self.exact, accuracy: Meters(3))))

  private func passed(_ actions: [AccessGate.Action]) -> PlacesRequest? {
    if case .pass(_, .places(_, let request))? = actions.first { request } else { nil }
  }

  @Test mutating func aQueryNeedsTheAccessToAPosition() {
    bed.arrive(1, user: 0, .administrator)
    #expect(bed.ask(1, request) == [.pass(.process(1), request)])
    bed.arrive(2, user: 1001, .asks)
    // Nobody is asked, because the data on the machine has an answer too.
    #expect(bed.ask(2, request) == [failed(2, 1, .undecided(isAsked: false))])
    #expect(bed.grants(1).pending.isEmpty)
    bed.decide(.denied, for: 1001)
    #expect(bed.ask(2, request) == [failed(2, 1, .denied(inBackground: false))])
    bed.decide(.whenInUse(isReduced: false), for: 1001)
    #expect(bed.ask(2, request) == [.pass(.process(2), request)])
    _ = bed.handle(.presence(.process(2), .background))
    #expect(bed.ask(2, request) == [failed(2, 1, .inBackground)])
    bed.decide(.always(isReduced: false), for: 1001)
    #expect(bed.ask(2, request) == [.pass(.process(2), request)])
    _ = bed.ask(1, .authorization(RequestID(9), .setServices(isOn: false)))
    #expect(bed.ask(1, request) == [failed(1, 1, .servicesOff, user: 0)])
  }

  /// With reduced accuracy, all positions of a cell of 5 km are one.
  @Test mutating func aReducedClientNeverSendsAnExactPosition() throws {
    bed.arrive(2, user: 1001, .asks)
    bed.decide(.whenInUse(isReduced: true), for: 1001)
    guard case .at(let query)? = passed(bed.ask(2, request)) else {
      Issue.record("nothing was passed")
      return
    }
    #expect(Geodesic.distance(from: query.coordinate, to: Self.exact) > Meters(50))
    #expect(try #require(query.accuracy) >= Meters(2500))
    var points: Set<Coordinate> = []
    for step in 0..<40 {
      let near = Coordinate(
        latitude: Angle(degrees: 47.14151 + Double(step) * 0.0001), longitude: Angle(degrees: 9.52154))
      if case .at(let query)? = passed(bed.ask(2, .places(RequestID(1), .at(ReverseQuery(near))))) {
        points.insert(query.coordinate)
      }
    }
    #expect((1...2).contains(points.count))
    let search = PlacesRequest.find(ForwardQuery(.text("x"), near: ForwardQuery.Hint(center: Self.exact)))
    guard case .find(let found)? = passed(bed.ask(2, .places(RequestID(1), search))) else {
      Issue.record("nothing was passed")
      return
    }
    #expect(found.hint?.center == query.coordinate && found.subject == .text("x"))
  }
}
