import Geodesy
import PlacesCore
import TestSupport
import Testing

@Suite struct LocalCodecTests {
  @Test func aBlockIsReadAsWritten() {
    let house = [
      LocalPoint(x: 9_520_000, y: 47_140_000), LocalPoint(x: 9_520_100, y: 47_140_000),
      LocalPoint(x: 9_520_100, y: 47_140_100),
    ]
    let items = [
      SpatialBlock.Item(kind: .address, feature: 7, quarter: 3, number: "12 bis", isClosed: true, points: house),
      SpatialBlock.Item(kind: .street, feature: 5, points: [house[0], house[2]]),
      SpatialBlock.Item(kind: .address, feature: 7, number: "13", isInterpolated: true, points: [house[1]]),
    ]
    let bytes = SpatialBlock.encode(items)
    var nearby = NearbyItems()
    let isSound = nearby.read(bytes.span, block: 9, on: LocalPlane(around: house[0]))
    #expect(isSound)
    #expect(nearby.items.map(\.kind) == [.address, .street, .address])
    #expect(nearby.items.map(\.feature) == [7, 5, 7] && nearby.items.map(\.quarter) == [3, 0, 0])
    let number = PackedReader(bytes.span).text(in: nearby.items[0].number)
    #expect(number == "12 bis")
    #expect(nearby.items[2].isInterpolated && nearby.items[0].isClosed)
    // Inside, and 10 m west of the outline.
    let inside = LocalPlane(around: house[0]).meters(LocalPoint(x: 9_520_080, y: 47_140_040))
    #expect(nearby.squaredDistance(from: inside, to: nearby.items[0]) == 0)
    #expect(abs(nearby.squaredDistance(from: SIMD2(-10, 0), to: nearby.items[0]) - 100) < 0.1)
  }

  @Test func everyTruncationOfABlockIsDamage() {
    let items = (0..<20).map { index in
      SpatialBlock.Item(
        kind: .address, feature: index, number: "\(index)", points: [LocalPoint(x: Int32(index) * 1000, y: -5)])
    }
    let bytes = SpatialBlock.encode(items)
    for length in 0..<bytes.count {
      var nearby = NearbyItems()
      let part = Array(bytes[..<length])
      let isSound = nearby.read(part.span, block: 0, on: LocalPlane(around: LocalPoint(x: 0, y: 0)))
      #expect(!isSound, "\(length) of \(bytes.count) bytes")
    }
  }

  @Test func pointsCrossTheAntimeridian() {
    let plane = LocalPlane(around: LocalPoint(x: 179_999_000, y: -17_000_000))
    let east = plane.meters(LocalPoint(x: -179_999_000, y: -17_000_000))
    #expect(abs(east.x - 213) < 1 && east.y == 0)
  }

  @Test(arguments: [
    ("203-06", "203-06"), ("203–06", "203-06"), ("10 A", "10a"), ("10a", "10a"), ("12 bis", "12bis"), ("12/3", "12-3"),
  ]) func numbersHaveOneForm(text: String, form: String) {
    #expect(HouseNumber.canonical(text) == form)
  }

  @Test func listsOfNumbersAreDivided() {
    #expect(HouseNumber.list("1;3;5") == ["1", "3", "5"])
    #expect(HouseNumber.list("12-14, 16") == ["12-14", "16"])
    #expect(HouseNumber.list("203-06") == ["203-06"])
    #expect(HouseNumber.list("s/n").isEmpty)
  }

  @Test(arguments: [
    ("Landstrasse", "Landstr."), ("Main Street", "main st"), ("Avenue Saint-Martin", "Av. St Martin"),
    ("Rua das Flores", "R. das Flores"),
  ]) func abbreviationsHaveOneForm(long: String, short: String) {
    #expect(SearchWords.of(long) == SearchWords.of(short))
  }

  @Test func severalNumbersOfOneHouse() {
    #expect(HouseNumber.span("12-14")?.numbers == 12...14 && HouseNumber.span("12-14")?.isOneSide == true)
    #expect(HouseNumber.span("12 \u{2013} 15")?.numbers == 12...15 && HouseNumber.span("12-15")?.isOneSide == false)
    let others = [
      "203-06", "37-21", "12", "12-12", "12/14", "12a-14", "-14", "1-2-3", "100-200", "12-9999999999999999",
    ]
    for text in others {
      #expect(HouseNumber.span(text) == nil, "\(text)")
    }
    #expect(HouseNumber.isOfCrossStreet("203-06") && !HouseNumber.isOfCrossStreet("12-14"))
  }

  @Test func textWithoutSpacesIsSearchedInPairs() {
    #expect(SearchWords.of("東京都庁") == ["東京", "京都", "都庁"])
  }

  @Test func oneErrorIsATypingError() {
    for word in ["lndstr", "landstrr", "lamdstr", "ladnstr", "landstr"] {
      #expect(TypingError.isOne(Array(word.utf8), Array("landstr".utf8)), "\(word)")
    }
    for word in ["lnadtsr", "lanstrr2", "lan"] {
      #expect(!TypingError.isOne(Array(word.utf8), Array("landstr".utf8)), "\(word)")
    }
  }

  @Test func theShareOfTheNearestHouseFallsWithTheError() {
    // Two houses, 20 m apart; the position is in the first.
    func house(_ x: Int32, _ number: String) -> SpatialBlock.Item {
      SpatialBlock.Item(
        kind: .address, feature: 1, number: number, isClosed: true,
        points: [
          LocalPoint(x: x - 45, y: -45), LocalPoint(x: x + 45, y: -45), LocalPoint(x: x + 45, y: 45),
          LocalPoint(x: x - 45, y: 45),
        ])
    }
    var nearby = NearbyItems()
    let bytes = SpatialBlock.encode([house(0, "1"), house(180, "2")])
    let isSound = nearby.read(bytes.span, block: 0, on: LocalPlane(around: LocalPoint(x: 0, y: 0)))
    #expect(isSound)
    let exact = NearestShares(nearby, deviation: 0)
    #expect(exact.address?.item == 0 && exact.address?.share == 1)
    // The border is 10 m away: the share is that of a normal distribution.
    for (deviation, share) in [(5.0, 0.977), (10, 0.841), (20, 0.691)] {
      let shares = NearestShares(nearby, deviation: deviation)
      #expect(shares.address?.item == 0 && abs((shares.address?.share ?? 0) - share) < 0.06, "\(deviation): \(shares)")
    }
    #expect(NearestShares(nearby, deviation: 20).street?.share ?? 0 > 0.8)
  }
}
