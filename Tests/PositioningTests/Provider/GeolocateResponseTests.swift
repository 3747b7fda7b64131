import Geodesy
import Positioning
import TestSupport
import Testing

/// Answers of providers, and possible answers of an attacker in their place.
@Suite struct GeolocateResponseTests {
  private func decode(_ text: String, status: Int = 200) throws(FetchProblem) -> GeolocateResponse {
    try GeolocateResponse(WebResponse(status: status, body: Array(text.utf8)))
  }

  private static func place(_ latitude: Double, _ longitude: Double, _ radius: Double) -> GeolocateResponse {
    .place(
      Coordinate(latitude: Angle(degrees: latitude), longitude: Angle(degrees: longitude)), radius68: Meters(radius))
  }

  @Test func places() throws {
    #expect(
      try decode(#"{"location":{"lat":47.5,"lng":-8.25},"accuracy":89.5}"#) == Self.place(47.5, -8.25, 89.5))
    #expect(
      try decode(" {\n\t\"accuracy\" : 1e2, \"location\" : { \"lng\" : 8, \"lat\" : -0.5 } }\r\n")
        == Self.place(-0.5, 8, 100))
    // No radius is smaller than the data permits.
    #expect(try decode(#"{"location":{"lat":47.5,"lng":8},"accuracy":5}"#) == Self.place(47.5, 8, 50))
    #expect(
      try decode(#"{"fallback":null,"x":[{"lat":1},[],"a\"]"],"location":{"lat":1,"lng":2},"accuracy":60}"#)
        == Self.place(1, 2, 60))
  }

  @Test func nothingFound() throws {
    #expect(
      try decode(
        #"{"error":{"errors":[{"domain":"geolocation","reason":"notFound"}],"code":404,"message":"Not found"}}"#,
        status: 404) == .notFound)
    // Answers that are based on the network's address, or that mean a whole region.
    #expect(
      try decode(#"{"location":{"lat":1,"lng":2},"accuracy":60,"fallback":"ipf"}"#) == .notFound)
    #expect(try decode(#"{"location":{"lat":1,"lng":2},"accuracy":25000}"#) == .notFound)
  }

  @Test(arguments: [
    "", "null", "[]", "{", "{}", "<html>", #"{"location":{"lat":91,"lng":0},"accuracy":50}"#,
    #"{"location":{"lat":0,"lng":181},"accuracy":50}"#, #"{"location":{"lat":0,"lng":0}}"#,
    #"{"location":{"lat":0,"lng":0},"accuracy":-1}"#, #"{"location":{"lat":nan,"lng":0},"accuracy":50}"#,
    #"{"location":{"lat":1e999,"lng":0},"accuracy":50}"#, #"{"location":{"lat":"1","lng":0},"accuracy":50}"#,
    #"{"location":{"lat":1,"lng":0},"accuracy":50} x"#, #"{"location":{"lat":1,"lng":0},"accuracy":50,}"#,
    #"{"location":[{"lat":1,"lng":0}],"accuracy":50}"#, "{\"a\":\"\u{1}\"}", "{\"a",
  ]) func nonsense(_ text: String) {
    #expect(throws: FetchProblem.nonsense) { try decode(text) }
  }

  @Test func deepAndWide() {
    let deep = String(repeating: "{\"a\":", count: 10_000) + "1" + String(repeating: "}", count: 10_000)
    #expect(throws: FetchProblem.nonsense) { try decode(deep) }
    let wide = "{" + (0..<5000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
    #expect(throws: FetchProblem.nonsense) { try decode(wide) }
    #expect(throws: FetchProblem.tooLong) { try decode(String(repeating: " ", count: 70_000) + "{}") }
  }

  @Test func refusals() {
    #expect(throws: FetchProblem.refused(status: 429)) { try decode("{}", status: 429) }
    #expect(throws: FetchProblem.refused(status: 500)) { try decode("", status: 500) }
    // A server without such a page.
    #expect(throws: FetchProblem.refused(status: 404)) { try decode("<html>", status: 404) }
    #expect(throws: FetchProblem.refused(status: 404)) { try decode("{}", status: 404) }
    #expect(throws: FetchProblem.refused(status: 302)) { try decode("{}", status: 302) }
  }

  /// A correct answer with a changed or missing byte is another position on Earth, or is rejected.
  @Test func damaged() {
    var random = SplitMix64(seed: 4)
    let right = Array(#"{"location":{"lat":47.5,"lng":-8.25},"accuracy":89.5,"error":{"code":404}}"#.utf8)
    for _ in 0..<20_000 {
      var bytes = right
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      bytes.removeLast(Int.random(in: 0...3, using: &random))
      guard case .place(let place, let radius)? = try? GeolocateResponse(WebResponse(status: 200, body: bytes)) else {
        continue
      }
      #expect((-90...90).contains(place.latitude.degrees) && (-180...180).contains(place.longitude.degrees))
      #expect((50...10_000).contains(radius.value))
    }
  }
}
