import Geodesy
import PlacesCore
import Positioning
import TestSupport
import Testing

/// Requests to servers of places, and their answers.
@Suite struct PlaceProviderTests {
  private static let origin = Coordinate(latitude: Angle(degrees: 47.14151), longitude: Angle(degrees: -9.0226))
  private static let newYork = Coordinate(latitude: Angle(degrees: 40.7488), longitude: Angle(degrees: -73.9854))

  private func answer(_ text: String, status: Int = 200) -> WebResponse {
    WebResponse(status: status, body: Array(text.utf8))
  }

  // MARK: Settings

  @Test(arguments: [
    "", "off", "https://a.example", "google:https://a.example", "nominatim", "nominatim:", "nominatim:a.example",
    "nominatim:file:///etc/passwd", "photon: https://a.example", "Photon:https://a.example",
    "pelias:https://a.example/#b", "nominatim:https://a.example/\r\nX: y",
  ])
  func whatIsNoServer(text: String) {
    #expect(PlaceProvider(text) == nil)
  }

  @Test(arguments: [
    ("a@b.example", true), ("https://b.example/me", true), ("", false), ("a", false), ("@b", false), ("a@", false),
    ("me", false), ("a b@c", false), ("a@b)", false), ("a@b\r\nX-Key: 1", false), ("ä@b.example", false),
    (String(repeating: "a", count: 128) + "@b", false),
  ])
  func contacts(text: String, isValid: Bool) {
    #expect(ProviderContact.isValid(text) == isValid)
  }

  // MARK: Requests

  @Test(arguments: [
    (
      "nominatim:http://a.example/",
      "http://a.example/reverse?format=geocodejson&lat=47.14151&lon=-9.02260&zoom=18&accept-language=de-CH"
    ),
    ("photon:http://a.example/b", "http://a.example/b/reverse?lat=47.14151&lon=-9.02260&limit=1&lang=de"),
    (
      "pelias:http://a.example/v1?api_key=k",
      "http://a.example/v1/reverse?point.lat=47.14151&point.lon=-9.02260&size=1&lang=de-CH&api_key=k"
    ),
  ])
  func reverseRequests(setting: String, expected: String) throws {
    let provider = try #require(PlaceProvider(setting))
    #expect(provider.address(of: ReverseQuery(Self.origin, languages: ["de-CH", "en"]))?.text == expected)
    #expect(provider.host == "a.example")
  }

  @Test(arguments: [
    (
      "nominatim:http://a.example",
      "search?format=geocodejson&q=St%C3%A4dtle%2049,%20%26x%3D1&addressdetails=1&limit=3&viewbox=-9.287,47.322,-8.758,46.961"
    ),
    ("photon:http://a.example", "api?q=St%C3%A4dtle%2049,%20%26x%3D1&limit=3&lat=47.142&lon=-9.023"),
    (
      "pelias:http://a.example",
      "search?text=St%C3%A4dtle%2049,%20%26x%3D1&size=3&focus.point.lat=47.142&focus.point.lon=-9.023"
    ),
  ])
  func forwardRequests(setting: String, expected: String) throws {
    let provider = try #require(PlaceProvider(setting))
    let query = ForwardQuery(
      .text("Städtle 49, &x=1"), near: ForwardQuery.Hint(center: Self.origin, radius: Meters(20_000)), limit: 3)
    #expect(provider.address(of: query)?.text == "http://a.example/" + expected)
    #expect(provider.address(of: ForwardQuery(.text(""))) == nil)
    #expect(provider.address(of: ForwardQuery(.text(String(repeating: "ä", count: 250)))) == nil)
  }

  /// The worse the position, the fewer digits, and the coarser the request.
  @Test(
    arguments: [
      (nil, "lat=47.14151&lon=-9.02260&zoom=18"), (15.0, "lat=47.14151&lon=-9.02260&zoom=18"),
      (16.0, "lat=47.1415&lon=-9.0226&zoom=17"), (500, "lat=47.142&lon=-9.023&zoom=14"),
      (5000, "lat=47.14&lon=-9.02&zoom=10"),
    ] as [(Double?, String)])
  func precision(accuracy: Double?, expected: String) throws {
    let provider = try #require(PlaceProvider("nominatim:http://a.example"))
    let address = provider.address(of: ReverseQuery(Self.origin, accuracy: accuracy.map { Meters($0) }))
    #expect(address?.text == "http://a.example/reverse?format=geocodejson&" + expected)
  }

  // MARK: Answers

  @Test(arguments: [
    ("nominatim", ProviderAnswers.nominatim), ("photon", ProviderAnswers.photon),
  ])
  func addresses(kind: String, text: String) throws {
    let provider = try #require(PlaceProvider("\(kind):http://a.example"))
    let vaduz = Coordinate(latitude: Angle(degrees: 47.1416), longitude: Angle(degrees: 9.5226))
    let place = try #require(try provider.place(answer(text), to: ReverseQuery(vaduz)))
    #expect(place.kind == .address && place.name == "Städtle 49")
    #expect((place.thoroughfare, place.subThoroughfare) == ("Städtle", "49"))
    #expect((place.locality, place.subLocality, place.postalCode) == ("Vaduz", "Mitteldorf", "9490"))
    #expect(place.isoCountryCode == "LI")
    #expect((10.0...13).contains(try #require(place.distance).value))
    let source = try #require(place.sources.first)
    #expect(source.name == "a.example" && source.attribution.contains("OpenStreetMap contributors"))
    // At 50 m no house is known, at 500 m no street, at 5 km no quarter.
    let coarse = try [50.0, 500, 5000].map {
      try #require(try provider.place(answer(text), to: ReverseQuery(vaduz, accuracy: Meters($0))))
    }
    #expect(coarse.map(\.kind) == [.street, .quarter, .town])
    #expect(coarse.map(\.name) == ["Städtle", "Mitteldorf", "Vaduz"])
    #expect(coarse.allSatisfy { $0.subThoroughfare == nil } && coarse[1].thoroughfare == nil)
  }

  @Test func statesOfPelias() throws {
    let provider = try #require(PlaceProvider("pelias:http://a.example/v1"))
    let place = try #require(try provider.place(answer(ProviderAnswers.pelias), to: ReverseQuery(Self.newYork)))
    #expect(place.name == "350 5th Avenue" && place.administrativeArea == "NY")
    #expect((place.locality, place.subLocality) == ("New York", "Midtown South"))
    #expect(place.sources.first?.attribution == "https://pelias.example.org/attribution")
    #expect((10.0...20).contains(place.radius.value))
  }

  @Test func nothingKnown() throws {
    let query = ReverseQuery(Self.origin)
    let nominatim = try #require(PlaceProvider("nominatim:http://a.example"))
    #expect(try nominatim.place(answer(#"{"error":"Unable to geocode"}"#), to: query) == nil)
    for kind in PlaceProvider.Kind.allCases {
      let provider = try #require(PlaceProvider("\(kind.rawValue):http://a.example"))
      #expect(try provider.place(answer(#"{"type":"FeatureCollection","features":[]}"#), to: query) == nil)
    }
  }

  @Test(arguments: [
    "", "[]", "{}", "null", "<html>Sign in</html>", #"{"features":5}"#, #"{"features":[{}]}"#,
    #"{"features":[{"geometry":{"coordinates":[9.5]}}]}"#, #"{"features":[{"geometry":{"coordinates":[9.5,91]}}]}"#,
    #"{"features":[{"geometry":{"coordinates":["9.5","47"]}}]}"#,
    #"{"features":[{"geometry":{"coordinates":[1e999,47]}}]}"#, #"{"features":["\u12"]}"#,
    String(repeating: #"{"features":["#, count: 40), #"{"features":[]"#,
  ])
  func answersThatAreNone(text: String) throws {
    for kind in PlaceProvider.Kind.allCases {
      let provider = try #require(PlaceProvider("\(kind.rawValue):http://a.example"))
      #expect(throws: FetchProblem.nonsense) { try provider.place(answer(text), to: ReverseQuery(Self.origin)) }
      #expect(throws: FetchProblem.refused(status: 429)) {
        try provider.place(answer(text, status: 429), to: ReverseQuery(Self.origin))
      }
    }
  }

  @Test func cutAnswersAreNone() throws {
    let provider = try #require(PlaceProvider("nominatim:http://a.example"))
    let whole = Array(ProviderAnswers.nominatim.utf8)
    for end in 0..<whole.count - 1 {
      #expect(throws: FetchProblem.nonsense) {
        try provider.place(WebResponse(status: 200, body: Array(whole[..<end])), to: ReverseQuery(Self.origin))
      }
    }
  }

  /// Nothing of an answer reaches a terminal as a command, and nothing is long.
  @Test func hostileTexts() throws {
    let provider = try #require(PlaceProvider("photon:http://a.example"))
    let long = String(repeating: "ä", count: 5000)
    let text = #"""
      {"features":[{"geometry":{"coordinates":[9.5,47.1]},"properties":{"type":"house","street":"A\u001b[31m\u202eB\nC",
      "housenumber":"\#(long)","city":"\u0000","countrycode":"L1","postcode":5,"name":"\ud83d\ude00\ud83d"}}]}
      """#
    let place = try #require(try provider.place(answer(text), to: ReverseQuery(Self.origin)))
    #expect(place.thoroughfare == "A[31mBC")
    #expect(place.subThoroughfare == String(repeating: "ä", count: 100))
    #expect((place.locality, place.isoCountryCode, place.postalCode) == (nil, nil, nil))
    let many =
      #"{"features":["#
      + (0..<50).map { _ in #"{"geometry":{"coordinates":[9.5,47.1]},"properties":{}}"# }
      .joined(separator: ",") + "]}"
    #expect(try provider.places(answer(many), to: ForwardQuery(.text("a"))).count == ForwardQuery.mostPlaces)
    let huge = #"{"features":[],"a":""# + String(repeating: "a", count: 300_000) + #""}"#
    #expect(throws: FetchProblem.tooLong) { try provider.places(answer(huge), to: ForwardQuery(.text("a"))) }
  }
}
