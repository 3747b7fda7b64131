import WireFormats

/// Any bytes from a receiver: however they are cut, they give the same messages and the same counters, every byte is accounted
/// for, and the pending bytes are bounded and released by silence.
func checkFraming(_ bytes: [UInt8]) {
  let whole = Reading(bytes, pieces: [bytes.count])
  // The bytes of the input determine how it is cut.
  let pieces = bytes.prefix(64).map { Int($0 & 63) }
  precondition(whole == Reading(bytes, pieces: pieces), "depends on chunking")
  precondition(whole == Reading(bytes, pieces: [1]), "depends on chunking byte by byte")
  precondition(whole.counters.frameBytes + whole.counters.noiseBytes + UInt64(whole.waiting) == UInt64(bytes.count))
  precondition(whole.waiting < WireDecoder.maximumFrame, "waits for too much")

  var decoder = WireDecoder()
  decoder.push(bytes.span) { _ in }
  decoder.resynchronize { _ in }
  precondition(!decoder.hasPendingBytes, "silence lets go of nothing")
  precondition(decoder.counters.frameBytes + decoder.counters.noiseBytes == UInt64(bytes.count))
}

/// The result for bytes that are cut into pieces of the given lengths, which repeat.
private struct Reading: Equatable {
  var tags: [UInt64] = []
  var counters = DecodeCounters()
  var waiting = 0

  init(_ bytes: [UInt8], pieces: [Int]) {
    var decoder = WireDecoder()
    var start = 0
    var index = 0
    while start < bytes.count {
      // Every eighth piece has at least one byte, so that the loop ends.
      let length = pieces.isEmpty ? bytes.count : max(pieces[index % pieces.count], index % 8 == 0 ? 1 : 0)
      let end = min(start + length, bytes.count)
      decoder.push(bytes.span.extracting(start..<end)) { tags.append(tag($0)) }
      start = end
      index += 1
    }
    counters = decoder.counters
    waiting = decoder.pendingByteCount
  }
}

/// Kind and part of the content of a message, as a number.
private func tag(_ message: WireMessage) -> UInt64 {
  var hasher = Checksum()
  switch message {
  case .nmea(let sentence, let talker):
    hasher.add(talker)
    switch sentence {
    case .rmc(let value): hasher.add(value)
    case .gga(let value): hasher.add(value)
    case .gns(let value): hasher.add(value)
    case .gll(let value): hasher.add(value)
    case .vtg(let value): hasher.add(value)
    case .gsa(let value):
      hasher.add([value.dimension.rawValue, value.satellitesUsed])
      hasher.add([value.pdopHundredths, value.hdopHundredths, value.vdopHundredths])
      hasher.add(value.system)
      for index in 0..<Int(value.satellitesUsed) { hasher.add(value.numbers[index]) }
    case .gsv(let value):
      hasher.add([value.sentences, value.sentence, value.satellitesInView, value.count])
      hasher.add(value.signal)
      for index in 0..<Int(value.count) { hasher.add(value.satellites[index]) }
    case .zda(let value): hasher.add(value)
    case .dtm(let value): hasher.add(value)
    case .gst(let value): hasher.add(value)
    case .gbs(let value): hasher.add(value)
    case .hdt(let value): hasher.add(value)
    case .ths(let value): hasher.add(value)
    case .magneticHeading(let value): hasher.add(value)
    case .rateOfTurn(let value): hasher.add(value)
    case .txt(let value): hasher.add(value)
    case .pubxPosition(let value): hasher.add(value)
    case .pubxSatellite(let value): hasher.add(value)
    case .pubxTime(let value): hasher.add(value)
    case .pmtk(let value): hasher.add(value)
    case .pgrme(let value): hasher.add(value)
    case .ggk(let value): hasher.add(value)
    case .pqxfi(let value): hasher.add(value)
    case .phoneAccuracy(let value): hasher.add(value)
    case .unknown(let address): hasher.add(address)
    }
  case .ubx(let message):
    switch message {
    case .navPVT(let value): hasher.add(value)
    case .navSOL(let value): hasher.add(value)
    case .navPOSECEF(let value): hasher.add(value)
    case .navPOSLLH(let value): hasher.add(value)
    case .navVELNED(let value): hasher.add(value)
    case .navTIMEUTC(let value): hasher.add(value)
    case .navSVINFO(let value), .navSAT(let value): hasher.add(value)
    case .navSatellite(let value): hasher.add(value)
    case .navDOP(let value): hasher.add(value)
    case .navSTATUS(let value): hasher.add(value)
    case .navCOV(let value): hasher.add(value)
    case .navEOE(let time): hasher.add(time)
    case .navTIMELS(let value): hasher.add(value)
    case .navRELPOSNED(let value): hasher.add(value)
    case .timTP(let value): hasher.add(value)
    case .monVERSoftware(let text), .monVERHardware(let text), .monVERExtension(let text): hasher.add(text)
    case .monRF(let value): hasher.add(value)
    case .secUNIQID(let value): hasher.add(value)
    case .acknowledgement(let messageClass, let id, let isAccepted):
      hasher.add([messageClass, id, isAccepted ? 1 : 0])
    case .configuration(let payload), .assistance(let payload): hasher.add(payload)
    case .assistanceAcknowledgement(let value): hasher.add(value)
    case .unknown(let messageClass, let id): hasher.add([messageClass, id])
    }
  }
  return hasher.value
}

/// One number for a sequence of values, the same throughout a run.
private struct Checksum {
  private(set) var value: UInt64 = 0

  mutating func add(_ part: some Hashable) {
    value = value &* 0x100_0000_01B3 &+ UInt64(truncatingIfNeeded: part.hashValue)
  }
}
