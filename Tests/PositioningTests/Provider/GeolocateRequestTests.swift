import Foundation
import Geodesy
import Positioning
import TestSupport
import Testing
import WireFormats

/// What is sent to a provider, and what is never sent.
@Suite struct GeolocateRequestTests {
  @Test func theWholeBody() throws {
    let observations = [
      HeardStreet.sighting(HeardStreet.address(1), signal: -71.4, 5180, at: HeardStreet.start - .milliseconds(1500)),
      HeardStreet.sighting(HeardStreet.address(2), signal: -40, 2412),
      HeardStreet.sighting(HeardStreet.address(3), signal: nil, 5975),
    ]
    let request = try #require(GeolocateRequest(observations, at: HeardStreet.start))
    #expect(
      String(decoding: request.body, as: UTF8.self) == """
        {"considerIp":false,"wifiAccessPoints":[\
        {"macAddress":"00:01:e3:00:00:02","signalStrength":-40,"age":0,"channel":1},\
        {"macAddress":"00:01:e3:00:00:01","signalStrength":-71,"age":1500,"channel":36},\
        {"macAddress":"00:01:e3:00:00:03","age":0,"frequency":5975}]}
        """)
  }

  /// A single access point would allow the provider to follow it; random addresses do not count.
  @Test func tooFewAreNotReported() throws {
    let own = HeardStreet.sighting(HeardStreet.address(1))
    let local = try #require(BSSID("02:01:e3:00:00:02"))
    let madeUp = HeardStreet.sighting(local)
    #expect(GeolocateRequest([], at: HeardStreet.start) == nil)
    #expect(GeolocateRequest([own], at: HeardStreet.start) == nil)
    #expect(GeolocateRequest([own, own], at: HeardStreet.start) == nil)
    #expect(GeolocateRequest([own, madeUp], at: HeardStreet.start) == nil)
    #expect(GeolocateRequest([own, HeardStreet.sighting(HeardStreet.address(2))], at: HeardStreet.start) != nil)
  }

  /// For any observations: JSON with only known keys, no random address and no group address, and at most the twenty strongest.
  @Test func anyObservationIsAccepted() throws {
    var random = SplitMix64(seed: 9)
    var asked = 0
    for _ in 0..<2000 {
      let received = HeardStreet.any(&random)
      guard let request = GeolocateRequest(received, at: HeardStreet.start) else { continue }
      asked += 1
      let json = try #require(
        try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
      #expect(Set(json.keys) == ["considerIp", "wifiAccessPoints"] && json["considerIp"] as? Bool == false)
      let points = try #require(json["wifiAccessPoints"] as? [[String: Any]])
      #expect((2...20).contains(points.count))
      var reported: Set<BSSID> = []
      for point in points {
        #expect(
          Set(point.keys).isSubset(of: ["macAddress", "signalStrength", "age", "channel", "frequency"]))
        let text = try #require(point["macAddress"] as? String)
        let address = try #require(BSSID(text))
        #expect(!address.isLocallyAdministered && address.isIndividual)
        #expect(try #require(point["age"] as? Int) >= 0)
        reported.insert(address)
      }
      #expect(reported.count == points.count)
      let weakest = received.filter { reported.contains($0.bssid) }.map { $0.signalDecibelMilliwatts ?? -.infinity }
        .min()
      let leftOut = received.filter {
        !reported.contains($0.bssid) && !$0.bssid.isLocallyAdministered && $0.bssid.isIndividual
      }
      #expect(leftOut.allSatisfy { ($0.signalDecibelMilliwatts ?? -.infinity) <= weakest ?? 0 })
      #expect(request.body.count <= FetchRequest.Purpose.position.longestBody)
    }
    #expect(asked > 1000)
  }
}
