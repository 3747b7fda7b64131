import WireFormats

/// All coordinates of a recording in all forms in which they could appear in another one: as in sentences, as decimal degrees,
/// and as in UBX.
struct CoordinateSearch {
  /// The last eight characters of each coordinate as text; `numbers` contains the four bytes of each coordinate in UBX.
  private var texts: Set<UInt64> = []
  private var numbers: Set<UInt32> = []

  /// The number of forms.
  var count: Int { texts.count + numbers.count }

  /// The coordinates of all sentences and messages in `bytes`, damaged sentences included.
  init(of bytes: [UInt8]) {
    var decoder = WireDecoder()
    var found: [Int64] = []
    decoder.push(bytes.span) { message in
      switch message {
      case .nmea(.rmc(let rmc), _): found += [rmc.latitudeNanodegrees, rmc.longitudeNanodegrees].compactMap { $0 }
      case .nmea(.pubxPosition(let pubx), _):
        found += [pubx.latitudeNanodegrees, pubx.longitudeNanodegrees].compactMap { $0 }
      case .ubx(.navPVT(let pvt)): found += [Int64(pvt.latitudeE7) * 100, Int64(pvt.longitudeE7) * 100]
      case .ubx(.navPOSLLH(let place)): found += [Int64(place.latitudeE7) * 100, Int64(place.longitudeE7) * 100]
      case .nmea, .ubx: break
      }
    }
    for nanodegrees in Set(found) where nanodegrees != 0 { add(nanodegrees) }
    addTexts(of: bytes)
  }

  private mutating func add(_ nanodegrees: Int64) {
    for e7 in [nanodegrees / 100 - 1, nanodegrees / 100, nanodegrees / 100 + 1] {
      numbers.insert(UInt32(bitPattern: Int32(truncatingIfNeeded: e7)))
    }
    // 47.28500 and 8.565000, and between them the digits of minutes: eight characters of each.
    let degrees = nanodegrees.magnitude
    var decimal = Array("\(degrees / 1_000_000_000).".utf8)
    let fraction = Array("\(1_000_000_000 + degrees % 1_000_000_000)".utf8.dropFirst())
    decimal += fraction
    insert(decimal.prefix(8))
  }

  /// Every text with the form ddmm.mmm, to three decimals.
  private mutating func addTexts(of bytes: [UInt8]) {
    for point in bytes.indices where bytes[point] == UInt8(ascii: ".") {
      let digits = bytes[..<point].reversed().prefix { (0x30...0x39).contains($0) }.count
      guard digits == 4 || digits == 5, point + 4 <= bytes.count,
        bytes[(point + 1)..<(point + 4)].allSatisfy({ (0x30...0x39).contains($0) })
      else { continue }
      insert(bytes[(point - 4)..<(point + 4)])
    }
  }

  private mutating func insert(_ text: ArraySlice<UInt8>) {
    guard text.count == 8, text.contains(where: { $0 != 0x30 && $0 != 0x2E }) else { return }
    texts.insert(text.reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// The offsets in `bytes` at which any of them appears.
  func hits(in bytes: [UInt8]) -> [Int] {
    var text: UInt64 = 0
    var number: UInt32 = 0
    var hits: [Int] = []
    for (place, byte) in bytes.enumerated() {
      text = text << 8 | UInt64(byte)
      number = number >> 8 | UInt32(byte) << 24
      if place >= 7, texts.contains(text) { hits.append(place) }
      if place >= 3, numbers.contains(number) { hits.append(place) }
    }
    return hits
  }
}
