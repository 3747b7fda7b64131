/// The bytes that a UART receives if its baud rate differs from the sender's.
package enum LineGarbler {
  /// The bytes that a listener receives at `received` bits per second while a sender sends `bytes` without a pause at
  /// `talked` bits per second, 8N1: the listener samples the line where it expects the middle of each bit. A byte without
  /// a stop bit is read as 0, as by default in Linux (termios(3), PARMRK unset). Equal baud rates give the same bytes;
  /// rates within 2 % give nearly the same.
  package static func garble(_ bytes: [UInt8], talked: Int, received: Int) -> [UInt8] {
    guard talked > 0, received > 0, talked != received else { return bytes }
    /// The level of the line during the n-th transmitted bit; idle is 1.
    func level(_ bit: Int) -> Bool {
      guard bit >= 0, bit / 10 < bytes.count else { return true }
      switch bit % 10 {
      case 0: return false
      case 9: return true
      case let position: return bytes[bit / 10] >> (position - 1) & 1 == 1
      }
    }
    let end = Double(bytes.count * 10)
    let bitsPerSample = Double(talked) / Double(received)
    var result: [UInt8] = []
    var position = 0.0
    while position < end {
      // The falling edge of the next start bit.
      var start = Int(position.rounded(.up))
      if level(Int(position)) || position.rounded(.down) != position {
        while Double(start) < end, !(level(start - 1) && !level(start)) { start += 1 }
      }
      guard Double(start) < end else { break }
      func sample(_ n: Int) -> Bool { level(Int(Double(start) + (Double(n) + 0.5) * bitsPerSample)) }
      var byte: UInt8 = 0
      for n in 0..<8 where sample(n + 1) { byte |= 1 << UInt8(n) }
      result.append(sample(9) ? byte : 0)
      position = Double(start) + 9.5 * bitsPerSample
    }
    return result
  }
}
