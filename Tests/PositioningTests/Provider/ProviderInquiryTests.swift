import Geodesy
import Positioning
import Testing
import WireFormats

/// When a provider is asked, and when not.
@Suite struct ProviderInquiryTests {
  private static let found = WebAnswer(
    status: 200, body: Array(#"{"location":{"lat":47.5,"lng":8.5},"accuracy":80}"#.utf8))
  private static let notFound = WebAnswer(status: 404, body: Array(#"{"error":{"code":404}}"#.utf8))
  private let start = HeardStreet.start
  private let wall = HeardStreet.wall

  private func inquiry(_ answers: [KeptAnswer] = []) throws -> ProviderInquiry {
    ProviderInquiry(address: try #require(WebAddress("https://example.org/v1/geolocate")), answers: answers)
  }

  private func asks(_ inquiry: inout ProviderInquiry, _ heard: [AccessPointSighting], at now: Instant) -> Bool {
    !inquiry.handle(.wanted(heard), at: now, on: wall).isEmpty
  }

  @Test func oneQuestionAPlace() throws {
    var inquiry = try inquiry()
    let heard = HeardStreet.heard(0..<8)
    let request = try #require(GeolocateRequest(heard, at: start))
    let address = try #require(WebAddress("https://example.org/v1/geolocate"))
    let order = try #require(FetchOrder(.position, address, body: request.body))
    #expect(inquiry.handle(.wanted(heard), at: start, on: wall) == [.ask(order)])
    #expect(inquiry.isAsking)
    // Never two at once.
    #expect(!asks(&inquiry, HeardStreet.heard(100..<108), at: start + .seconds(60)))
    let kept = inquiry.handle(.replied(.answered(Self.found)), at: start + .seconds(61), on: wall)
    let place = Coordinate(latitude: Angle(degrees: 47.5), longitude: Angle(degrees: 8.5))
    #expect(
      kept == [
        .keep(
          KeptAnswer(
            bssids: request.sightings.map(\.bssid), answer: .place(place, radius68: Meters(80)), answeredAt: wall))
      ])
    #expect(!inquiry.isAsking && inquiry.problem == nil)
    // One more and two fewer: the same place, for a week.
    let again = HeardStreet.heard(2..<9, at: start + .seconds(600))
    #expect(
      inquiry.position(of: again, at: start + .seconds(600), on: wall)
        == WiFiPosition(coordinate: place, radius68: Meters(80), heardAt: start + .seconds(600), count: 7))
    #expect(!asks(&inquiry, again, at: start + .seconds(600)))
    #expect(inquiry.position(of: again, at: start, on: wall + .seconds(8 * 86_400)) == nil)
    // Another street.
    #expect(inquiry.position(of: HeardStreet.heard(100..<108), at: start, on: wall) == nil)
    #expect(asks(&inquiry, HeardStreet.heard(100..<108), at: start + .seconds(600)))
  }

  /// A script that starts a service every hour asks once a day.
  @Test func whatWasKeptIsNotAskedAgain() throws {
    var first = try inquiry()
    let heard = HeardStreet.heard(0..<5)
    #expect(asks(&first, heard, at: start))
    _ = first.handle(.replied(.answered(Self.notFound)), at: start, on: wall)
    #expect(first.problem == nil)
    var second = try inquiry(first.kept)
    #expect(second.handle(.wanted(heard), at: start, on: wall + .seconds(23 * 3600)) == [])
    #expect(second.handle(.wanted(heard), at: start, on: wall + .seconds(25 * 3600)) != [])
    // A clock that was years ahead then, and one that is not set.
    var third = try inquiry(first.kept)
    #expect(third.handle(.wanted(heard), at: start, on: nil) == [])
    #expect(third.handle(.wanted(heard), at: start, on: wall + .seconds(-40 * 86_400)) != [])
  }

  @Test func failuresAreLeftAlone() throws {
    var inquiry = try inquiry()
    let heard = HeardStreet.heard(0..<5)
    var (now, waits): (Instant, [Int64]) = (start, [])
    for _ in 0..<9 {
      #expect(asks(&inquiry, heard, at: now))
      _ = inquiry.handle(.replied(.failed(.noConnection)), at: now, on: wall)
      #expect(inquiry.problem == .noConnection)
      var wait: Int64 = 0
      while !asks(&inquiry, heard, at: now + .seconds(wait)) { wait += 30 }
      waits.append(wait)
      now = now + .seconds(wait)
      _ = inquiry.handle(.replied(.failed(.noConnection)), at: now, on: wall)
      // Each of these was a failure too.
      now = now + .seconds(4000)
    }
    #expect(waits.first == 30 && waits[1] == 120 && waits.last == 3600)
    #expect(asks(&inquiry, heard, at: now))
    _ = inquiry.handle(.replied(.answered(Self.notFound)), at: now, on: wall)
    #expect(inquiry.problem == nil)
  }

  @Test func aServerThatWantsToBeLeftAlone() throws {
    let heard = HeardStreet.heard(0..<5)
    for (answer, wait) in [
      (WebAnswer(status: 429, retryAfter: .seconds(7200)), 7200), (WebAnswer(status: 429), 30),
      (WebAnswer(status: 503, retryAfter: .seconds(1_000_000)), 86_400), (WebAnswer(status: 403), 3600),
      (WebAnswer(status: 200, body: Array("<html>".utf8)), 3600),
    ] {
      var inquiry = try inquiry()
      #expect(asks(&inquiry, heard, at: start))
      #expect(inquiry.handle(.replied(.answered(answer)), at: start, on: wall) == [])
      #expect(!asks(&inquiry, heard, at: start + .seconds(wait - 1)))
      #expect(asks(&inquiry, heard, at: start + .seconds(wait)))
    }
  }

  /// What is not asked for changes nothing.
  @Test func whatNobodyAskedFor() throws {
    var inquiry = try inquiry()
    #expect(inquiry.handle(.replied(.answered(Self.found)), at: start, on: wall) == [])
    #expect(inquiry.kept.isEmpty)
    #expect(!asks(&inquiry, HeardStreet.heard(0..<1), at: start))
  }

  @Test func noMoreAreKeptThanFit() throws {
    var inquiry = try inquiry()
    var now = start
    for number in 0..<UInt64(ProviderInquiry.mostAnswers + 10) {
      now = now + .seconds(30)
      #expect(asks(&inquiry, HeardStreet.heard(number * 10..<number * 10 + 3), at: now))
      _ = inquiry.handle(.replied(.answered(Self.found)), at: now, on: wall)
    }
    #expect(inquiry.kept.count == ProviderInquiry.mostAnswers)
    #expect(inquiry.kept.first?.bssids.first == HeardStreet.address(100))
  }
}
