/// The local time of a time zone: the content of a file of the tz database, RFC 9636 (TZif), versions 1 to 4.
package struct ZoneRules: Hashable, Sendable {
  /// A local time that holds until the next transition.
  package struct LocalTime: Hashable, Sendable {
    /// Seconds east of UTC.
    package var offset: Int
    package var isDaylight: Bool
    /// "CET".
    package var abbreviation: String

    package init(offset: Int, isDaylight: Bool, abbreviation: String) {
      (self.offset, self.isDaylight, self.abbreviation) = (offset, isDaylight, abbreviation)
    }
  }

  /// The largest file that is read.
  package static let largestFile = 65_536
  private static let mostTransitions = 2000

  /// Seconds since 1970, in order, each with the local time that begins then.
  private var transitions: [(at: Int64, type: Int)] = []
  private var types: [LocalTime] = []
  /// The rule after the last transition.
  private var footer: ZoneFooter?

  /// Reads a file; `nil` if it is no valid TZif file.
  package init?(_ bytes: Span<UInt8>) {
    guard let first = Header(bytes, at: 0) else { return nil }
    guard first.version >= 2 else {
      guard read(bytes, at: Header.size, first, wide: false) != nil else { return nil }
      return
    }
    let second = Header.size + first.length(wide: false)
    guard let header = Header(bytes, at: second),
      let end = read(bytes, at: second + Header.size, header, wide: true)
    else { return nil }
    if end + 2 <= bytes.count, bytes[end] == UInt8(ascii: "\n") {
      var text: [UInt8] = []
      var position = end + 1
      while position < bytes.count, bytes[position] != UInt8(ascii: "\n"), text.count < 128 {
        text.append(bytes[position])
        position += 1
      }
      footer = ZoneFooter(String(decoding: text, as: UTF8.self))
    }
  }

  private struct Header {
    static let size = 44
    var version = 1
    var isUTCounts = 0
    var isStandardCounts = 0
    var leaps = 0
    var transitions = 0
    var types = 0
    var characters = 0

    init?(_ bytes: Span<UInt8>, at position: Int) {
      guard position >= 0, position + Self.size <= bytes.count,
        zip("TZif".utf8, 0...).allSatisfy({ bytes[position + $1] == $0 })
      else { return nil }
      let digit = bytes[position + 4]
      version = digit == 0 ? 1 : Int(digit) - 0x30
      let counts = (0..<6).map { Int(bytes.big(position + 20 + 4 * $0, 4)) }
      guard counts.allSatisfy({ $0 >= 0 && $0 <= ZoneRules.mostTransitions }), counts[4] > 0 else { return nil }
      (isUTCounts, isStandardCounts, leaps) = (counts[0], counts[1], counts[2])
      (transitions, types, characters) = (counts[3], counts[4], counts[5])
    }

    func length(wide: Bool) -> Int {
      let size = wide ? 8 : 4
      return transitions * (size + 1) + types * 6 + characters + leaps * (size + 4) + isStandardCounts + isUTCounts
    }
  }

  /// Reads a block; returns its end.
  private mutating func read(_ bytes: Span<UInt8>, at start: Int, _ header: Header, wide: Bool) -> Int? {
    let size = wide ? 8 : 4
    let end = start + header.length(wide: wide)
    guard end <= bytes.count else { return nil }
    let numbers = start + header.transitions * size
    let entries = numbers + header.transitions
    let names = entries + header.types * 6
    for index in 0..<header.types {
      let at = entries + 6 * index
      var name: [UInt8] = []
      var position = names + Int(bytes[at + 5])
      while position < names + header.characters, bytes[position] != 0 {
        name.append(bytes[position])
        position += 1
      }
      types.append(
        LocalTime(
          offset: Int(Int32(truncatingIfNeeded: bytes.big(at, 4))), isDaylight: bytes[at + 4] != 0,
          abbreviation: String(decoding: name, as: UTF8.self)))
    }
    for index in 0..<header.transitions {
      let type = Int(bytes[numbers + index])
      let time =
        wide ? bytes.big(start + 8 * index, 8) : Int64(Int32(truncatingIfNeeded: bytes.big(start + 4 * index, 4)))
      guard type < types.count, transitions.last.map({ $0.at < time }) ?? true else { return nil }
      transitions.append((time, type))
    }
    return end
  }

  /// The local time at a moment, in seconds since 1970.
  package func localTime(at time: Int64) -> LocalTime {
    guard let last = transitions.last, time < last.at else {
      if let footer { return footer.localTime(at: time) }
      return transitions.last.map { types[$0.type] } ?? types[0]
    }
    let next = transitions.firstIndex { $0.at > time } ?? transitions.count
    if next > 0 { return types[transitions[next - 1].type] }
    return types.first { !$0.isDaylight } ?? types[0]
  }

  /// The next moment after `time` at which the local time changes, in seconds since 1970; `nil` if none is known.
  package func nextTransition(after time: Int64) -> Int64? {
    let now = localTime(at: time)
    for transition in transitions where transition.at > time && types[transition.type] != now { return transition.at }
    return footer?.nextTransition(after: max(time, transitions.last?.at ?? time))
  }

  package static func == (a: ZoneRules, b: ZoneRules) -> Bool {
    a.types == b.types && a.footer == b.footer && a.transitions.elementsEqual(b.transitions) { $0 == $1 }
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(types) }
}

extension Span<UInt8> {
  /// A big-endian number; the caller has checked the range.
  fileprivate func big(_ position: Int, _ size: Int) -> Int64 {
    var value: UInt64 = 0
    for index in 0..<size { value = value << 8 | UInt64(self[position + index]) }
    return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
  }
}
