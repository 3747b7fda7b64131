import WireFormats

/// The result of decoding some bytes: the messages in their order, and the counters.
struct Decoding {
  var messages: [WireMessage] = []
  var counters = DecodeCounters()
  /// Bytes of an incomplete frame are left.
  var hasPendingBytes = false

  /// Decodes the pieces one after the other.
  init(pieces: [[UInt8]]) {
    var decoder = WireDecoder()
    for piece in pieces { decoder.push(piece.span) { messages.append($0) } }
    counters = decoder.counters
    hasPendingBytes = decoder.hasPendingBytes
  }

  init(_ bytes: [UInt8]) { self.init(pieces: [bytes]) }

  /// Decodes one sentence with its correct checksum.
  init(sentence content: String) { self.init(NMEASentence.encode(content)) }

  /// The only message of a sentence; `nil` if there was none or more than one, or if a counter shows an error.
  static func nmea(_ content: String) -> NMEAMessage? {
    let decoding = Decoding(sentence: content)
    guard decoding.messages.count == 1, case .nmea(let message, _) = decoding.messages[0],
      decoding.counters.validNMEA == 1, decoding.counters.malformed == 0, decoding.counters.noiseBytes == 0
    else { return nil }
    return message
  }

  /// The messages of one frame with its correct checksum; `nil` if it was counted as malformed.
  static func ubx(_ messageClass: UInt8, _ id: UInt8, _ payload: [UInt8]) -> [UBXMessage]? {
    let decoding = Decoding(UBXFrame.encode(class: messageClass, id: id, payload: payload))
    guard decoding.counters.validUBX == 1, decoding.counters.malformed == 0, decoding.counters.noiseBytes == 0 else {
      return nil
    }
    return decoding.messages.compactMap { message in
      guard case .ubx(let message) = message else { return nil }
      return message
    }
  }
}
