import LocationReplay
import TestSupport
import WireFormats

/// The same for all inputs, so that a finding can be reproduced; created once, because it contains thousands of numbers.
private let anonymization: Anonymization = {
  var generator = SplitMix64(seed: 7)
  return Anonymization(using: &generator)
}()

/// Any bytes, scrubbed: the number of bytes is the same, however they were cut; the number of valid frames is the same; and no
/// position of a sentence or a message remains.
func checkScrub(_ input: [UInt8]) {
  guard input.count <= 8192 else { return }
  let bytes = stream(of: input)
  let whole = scrub(bytes, by: max(1, bytes.count))
  precondition(whole.count == bytes.count, "another length")
  precondition(scrub(bytes, by: 1 + Int(bytes.first ?? 0) % 7) == whole, "depends on chunking")

  let (before, after) = (read(bytes), read(whole))
  precondition(before.counters.validNMEA == after.counters.validNMEA, "another number of sentences")
  precondition(before.counters.validUBX == after.counters.validUBX, "another number of messages")
  precondition(before.counters.skippedRTCM == after.counters.skippedRTCM, "another number of corrections")
  precondition(before.places.count == after.places.count, "another number of places")
  for (one, other) in zip(before.places, after.places) where one.latitude != 0 && one.longitude != 0 {
    precondition(one != other, "a place has stayed")
  }
  // A speed in knots also has an N.
  guard !Texts.contains(bytes, Array("VTG".utf8)[...]) else { return }
  for place in Texts.places(in: bytes) {
    precondition(!Texts.contains(whole, place), "a place is found")
  }
}

/// Each line of the input becomes a sentence, a line that begins with `u` becomes a message, and a line that begins with `r`
/// stays as it is.
private func stream(of input: [UInt8]) -> [UInt8] {
  input.split(separator: 0x0A).flatMap { line -> [UInt8] in
    switch line.first {
    case UInt8(ascii: "r"): return Array(line.dropFirst())
    case UInt8(ascii: "u") where line.count >= 3:
      let start = line.startIndex
      return UBXFrame.encode(class: line[start + 1], id: line[start + 2], payload: Array(line.dropFirst(3)))
    default:
      let content = line.prefix(WireDecoder.maximumLine - 2).filter {
        (0x20...0x7E).contains($0) && $0 != 0x24 && $0 != 0x21 && $0 != 0x2A
      }
      return NMEASentence.encode(String(decoding: content, as: UTF8.self)) + [13, 10]
    }
  }
}

private func scrub(_ bytes: [UInt8], by size: Int) -> [UInt8] {
  var anonymization = anonymization
  var stream = StreamScrubber()
  var output: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: size) {
    output += stream.push(bytes.span.extracting(start..<min(start + size, bytes.count)), &anonymization)
  }
  return output + stream.finish(&anonymization)
}

private struct Place: Equatable {
  var latitude: Int64
  var longitude: Int64
}

/// What a decoder reads from bytes: its counters, and the positions, in 1e-9 degrees.
private func read(_ bytes: [UInt8]) -> (counters: DecodeCounters, places: [Place]) {
  var decoder = WireDecoder()
  var places: [Place] = []
  func add(_ latitude: Int64?, _ longitude: Int64?) {
    if let latitude, let longitude { places.append(Place(latitude: latitude, longitude: longitude)) }
  }
  func receive(_ message: WireMessage) {
    switch message {
    case .nmea(.rmc(let rmc), _): add(rmc.latitudeNanodegrees, rmc.longitudeNanodegrees)
    case .nmea(.gga(let gga), _): add(gga.latitudeNanodegrees, gga.longitudeNanodegrees)
    case .nmea(.gns(let gns), _): add(gns.latitudeNanodegrees, gns.longitudeNanodegrees)
    case .nmea(.gll(let gll), _): add(gll.latitudeNanodegrees, gll.longitudeNanodegrees)
    case .nmea(.pubxPosition(let pubx), _): add(pubx.latitudeNanodegrees, pubx.longitudeNanodegrees)
    case .ubx(.navPVT(let pvt)): add(Int64(pvt.latitudeE7) * 100, Int64(pvt.longitudeE7) * 100)
    case .ubx(.navPOSLLH(let place)): add(Int64(place.latitudeE7) * 100, Int64(place.longitudeE7) * 100)
    case .nmea, .ubx: break
    }
  }
  decoder.push(bytes.span, receive)
  // An unfinished frame does not count, as in the scrubber.
  decoder.resynchronize(receive)
  return (decoder.counters, places)
}

/// Latitudes in the format of sentences: ddmm.mmmm with more digits, and a hemisphere.
private enum Texts {
  static func places(in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: "$")).flatMap { line -> [ArraySlice<UInt8>] in
      let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      return zip(fields, fields.dropFirst()).compactMap { field, next in
        let digits = field.filter { (0x31...0x39).contains($0) }.count
        let isNumber = field.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        guard isNumber, field.count >= 9, digits >= 4, field[field.startIndex + 4] == 0x2E,
          next.first == UInt8(ascii: "N") || next.first == UInt8(ascii: "S")
        else { return nil }
        return bytes[field.startIndex...next.startIndex]
      }
    }
  }

  static func contains(_ bytes: [UInt8], _ text: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= text.count else { return false }
    return (0...(bytes.count - text.count)).contains { bytes[$0..<($0 + text.count)].elementsEqual(text) }
  }
}
