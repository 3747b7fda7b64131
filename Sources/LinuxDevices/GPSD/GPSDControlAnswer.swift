/// How a question to gpsd's control socket ended.
package enum GPSDControlAnswer: Hashable, Sendable {
  case done
  /// It has no such device, has it already, or has no room.
  case refused
  /// This process may not use the socket there.
  case denied(socket: String)
  /// Nobody listens at any place where the socket may be; the likeliest of them.
  case noSocket(String)
  /// It said nothing in time, or nothing that can be understood.
  case noAnswer

  /// Longer lines are none of gpsd's.
  package static let longestLine = 256

  /// Reads a line: `OK` and `ERROR` of 3.22 and before, objects of the class `ACK` or `ERROR` since 3.23; `nil`: neither.
  package init?(line: some Sequence<UInt8>) {
    let text = String(decoding: line.lazy.filter { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
    switch text {
    case "OK", #"{"class":"ACK"}"#, #"{"class":"OK"}"#: self = .done
    case "ERROR": self = .refused
    case _ where text.hasPrefix(#"{"class":"ERROR""#): self = .refused
    default: return nil
    }
  }
}
