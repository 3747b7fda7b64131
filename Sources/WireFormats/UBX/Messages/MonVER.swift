/// UBX-MON-VER (0x0A 0x04): software and hardware version and their extensions, each handed on as a text of its own.
enum MonVER {
  static func decode(_ payload: Span<UInt8>, _ body: (UBXMessage) -> Void) -> UBXDecoder.Outcome {
    guard payload.count >= 40, (payload.count - 40).isMultiple(of: 30) else { return .malformed }
    body(.monVERSoftware(InlineText(payload, from: 0, to: 30)))
    body(.monVERHardware(InlineText(payload, from: 30, to: 40)))
    var offset = 40
    while offset < payload.count {
      body(.monVERExtension(InlineText(payload, from: offset, to: offset + 30)))
      offset += 30
    }
    return .decoded
  }
}
