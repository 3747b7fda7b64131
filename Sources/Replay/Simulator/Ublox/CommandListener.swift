/// Finds the UBX frames among the bytes that the driver writes. Written for the simulator alone, so that it does not share a
/// mistake with the decoder that it tests.
struct CommandListener: Sendable {
  /// A frame whose checksum was right.
  struct Command: Hashable, Sendable {
    var messageClass: UInt8
    var id: UInt8
    var payload: [UInt8]

    /// Class and identifier in one number.
    var type: UInt16 { UInt16(messageClass) << 8 | UInt16(id) }
  }

  private static let longest = 1024
  private var waiting: [UInt8] = []

  /// The commands that end in `bytes`, in their order.
  mutating func hear(_ bytes: [UInt8]) -> [Command] {
    waiting += bytes
    var commands: [Command] = []
    while let start = waiting.firstIndex(of: 0xB5) {
      waiting.removeFirst(start)
      guard waiting.count >= 6 else { return commands }
      let length = Int(waiting[4]) | Int(waiting[5]) << 8
      guard waiting[1] == 0x62, length <= Self.longest else {
        waiting.removeFirst()
        continue
      }
      guard waiting.count >= length + 8 else { return commands }
      var (a, b): (UInt8, UInt8) = (0, 0)
      for byte in waiting[2..<6 + length] {
        a &+= byte
        b &+= a
      }
      guard waiting[6 + length] == a, waiting[7 + length] == b else {
        waiting.removeFirst()
        continue
      }
      commands.append(Command(messageClass: waiting[2], id: waiting[3], payload: Array(waiting[6..<6 + length])))
      waiting.removeFirst(length + 8)
    }
    waiting.removeAll()
    return commands
  }
}
