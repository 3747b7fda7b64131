import WireFormats

/// What a decoder has made of some bytes: the messages in their order, and the counters.
struct Decoding {
  var messages: [WireMessage] = []
  var counters = DecodeCounters()
  /// Bytes of a frame that has begun are left.
  var hasPendingBytes = false

  /// Decodes the pieces one after another.
  init(pieces: [[UInt8]]) {
    var decoder = WireDecoder()
    for piece in pieces { decoder.push(piece.span) { messages.append($0) } }
    counters = decoder.counters
    hasPendingBytes = decoder.hasPendingBytes
  }

  init(_ bytes: [UInt8]) { self.init(pieces: [bytes]) }

  /// One sentence, its checksum made right.
  init(sentence content: String) { self.init(NMEASentence.encode(content)) }

  /// The only message of a sentence; `nil` where none or several came, or any counter speaks against it.
  static func nmea(_ content: String) -> NMEAMessage? {
    let decoding = Decoding(sentence: content)
    guard decoding.messages.count == 1, case .nmea(let message, _) = decoding.messages[0],
      decoding.counters.validNMEA == 1, decoding.counters.malformed == 0, decoding.counters.noiseBytes == 0
    else { return nil }
    return message
  }

  /// The messages of one frame, its checksum made right; `nil` where it was called malformed.
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
