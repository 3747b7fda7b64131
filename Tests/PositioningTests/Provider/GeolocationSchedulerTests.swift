import Geodesy
import Positioning
import Testing
import WireFormats

/// When a provider is asked, and when not.
@Suite struct GeolocationSchedulerTests {
  private static let found = WebResponse(
    status: 200, body: Array(#"{"location":{"lat":47.5,"lng":8.5},"accuracy":80}"#.utf8))
  private static let notFound = WebResponse(status: 404, body: Array(#"{"error":{"code":404}}"#.utf8))
  private let start = HeardStreet.start
  private let wall = HeardStreet.wall

  private func inquiry(_ answers: [CachedGeolocation] = []) throws -> GeolocationScheduler {
    GeolocationScheduler(address: try #require(WebAddress("https://example.org/v1/geolocate")), answers: answers)
  }

  private func asks(_ inquiry: inout GeolocationScheduler, _ received: [AccessPointObservation], at now: Instant)
    -> Bool
  {
    !inquiry.handle(.wanted(received), at: now, on: wall).isEmpty
  }

  @Test func oneQuestionAPlace() throws {
    var inquiry = try inquiry()
    let received = HeardStreet.received(0..<8)
    let request = try #require(GeolocateRequest(received, at: start))
    let address = try #require(WebAddress("https://example.org/v1/geolocate"))
    let order = try #require(FetchRequest(.position, address, body: request.body))
    #expect(inquiry.handle(.wanted(received), at: start, on: wall) == [.ask(order)])
    #expect(inquiry.isAsking)
    // Never two requests at the same time.
    #expect(!asks(&inquiry, HeardStreet.received(100..<108), at: start + .seconds(60)))
    let kept = inquiry.handle(.replied(.answered(Self.found)), at: start + .seconds(61), on: wall)
    let place = Coordinate(latitude: Angle(degrees: 47.5), longitude: Angle(degrees: 8.5))
    #expect(
      kept == [
        .keep(
          CachedGeolocation(
            bssids: request.observations.map(\.bssid), answer: .place(place, radius68: Meters(80)), answeredAt: wall))
      ])
    #expect(!inquiry.isAsking && inquiry.problem == nil)
    // With one more access point and two fewer, the place is the same, for a week.
    let again = HeardStreet.received(2..<9, at: start + .seconds(600))
    #expect(
      inquiry.position(of: again, at: start + .seconds(600), on: wall)
        == WiFiPosition(coordinate: place, radius68: Meters(80), receivedAt: start + .seconds(600), count: 7))
    #expect(!asks(&inquiry, again, at: start + .seconds(600)))
    #expect(inquiry.position(of: again, at: start, on: wall + .seconds(8 * 86_400)) == nil)
    // Another street.
    #expect(inquiry.position(of: HeardStreet.received(100..<108), at: start, on: wall) == nil)
    #expect(asks(&inquiry, HeardStreet.received(100..<108), at: start + .seconds(600)))
  }

  /// A script that starts a service every hour causes one request per day.
  @Test func whatWasKeptIsNotAskedAgain() throws {
    var first = try inquiry()
    let received = HeardStreet.received(0..<5)
    #expect(asks(&first, received, at: start))
    _ = first.handle(.replied(.answered(Self.notFound)), at: start, on: wall)
    #expect(first.problem == nil)
    var second = try inquiry(first.kept)
    #expect(second.handle(.wanted(received), at: start, on: wall + .seconds(23 * 3600)) == [])
    #expect(second.handle(.wanted(received), at: start, on: wall + .seconds(25 * 3600)) != [])
    // A clock that was years ahead when the answer was stored, and one that is not set.
    var third = try inquiry(first.kept)
    #expect(third.handle(.wanted(received), at: start, on: nil) == [])
    #expect(third.handle(.wanted(received), at: start, on: wall + .seconds(-40 * 86_400)) != [])
  }

  @Test func failuresAreLeftAlone() throws {
    var inquiry = try inquiry()
    let received = HeardStreet.received(0..<5)
    var (now, waits): (Instant, [Int64]) = (start, [])
    for _ in 0..<9 {
      #expect(asks(&inquiry, received, at: now))
      _ = inquiry.handle(.replied(.failed(.noConnection)), at: now, on: wall)
      #expect(inquiry.problem == .noConnection)
      var wait: Int64 = 0
      while !asks(&inquiry, received, at: now + .seconds(wait)) { wait += 30 }
      waits.append(wait)
      now = now + .seconds(wait)
      _ = inquiry.handle(.replied(.failed(.noConnection)), at: now, on: wall)
      // Each of these attempts failed, too.
      now = now + .seconds(4000)
    }
    #expect(waits.first == 30 && waits[1] == 120 && waits.last == 3600)
    #expect(asks(&inquiry, received, at: now))
    _ = inquiry.handle(.replied(.answered(Self.notFound)), at: now, on: wall)
    #expect(inquiry.problem == nil)
  }

  @Test func aServerThatWantsToBeLeftAlone() throws {
    let received = HeardStreet.received(0..<5)
    for (answer, wait) in [
      (WebResponse(status: 429, retryAfter: .seconds(7200)), 7200), (WebResponse(status: 429), 30),
      (WebResponse(status: 503, retryAfter: .seconds(1_000_000)), 86_400), (WebResponse(status: 403), 3600),
      (WebResponse(status: 200, body: Array("<html>".utf8)), 3600),
    ] {
      var inquiry = try inquiry()
      #expect(asks(&inquiry, received, at: start))
      #expect(inquiry.handle(.replied(.answered(answer)), at: start, on: wall) == [])
      #expect(!asks(&inquiry, received, at: start + .seconds(wait - 1)))
      #expect(asks(&inquiry, received, at: start + .seconds(wait)))
    }
  }

  /// An unsolicited answer has no effect.
  @Test func unsolicitedMessages() throws {
    var inquiry = try inquiry()
    #expect(inquiry.handle(.replied(.answered(Self.found)), at: start, on: wall) == [])
    #expect(inquiry.kept.isEmpty)
    #expect(!asks(&inquiry, HeardStreet.received(0..<1), at: start))
  }

  @Test func noMoreAreKeptThanFit() throws {
    var inquiry = try inquiry()
    var now = start
    for number in 0..<UInt64(GeolocationScheduler.mostAnswers + 10) {
      now = now + .seconds(30)
      #expect(asks(&inquiry, HeardStreet.received(number * 10..<number * 10 + 3), at: now))
      _ = inquiry.handle(.replied(.answered(Self.found)), at: now, on: wall)
    }
    #expect(inquiry.kept.count == GeolocationScheduler.mostAnswers)
    #expect(inquiry.kept.first?.bssids.first == HeardStreet.address(100))
  }
}
