import Geodesy

/// A request to the privileged process that may write to the sockets of clock daemons and set the clock (`locationd time-helper`).
///
/// | offset | type   | field |
/// |--:|---|---|
/// | 0  | uint8  | kind: 1 a socket, 2 shared memory, 3 the circumstances, 4 set the clock |
/// | 1  | uint8  | leap second: 0, 1, 2 |
/// | 2  | uint8  | 1: a pulse |
/// | 3  | uint8  | unit of shared memory |
/// | 4  | uint8  | length of the path |
/// | 8  | int64  | the system's clock, ns since 1970; kind 4: what to add to the clock, ns |
/// | 16 | double | offset, seconds |
/// | 24 | double | uncertainty, seconds |
/// | 32 | 64 bytes | path of the socket |
///
/// Little-endian; unused fields are zero.
package enum TimeOrder: Hashable, Sendable {
  /// Send a sample to the socket at a path below /run.
  case socket(String, TimeSample)
  case sharedMemory(unit: UInt8, TimeSample)
  /// Report what is known of the machine's clock.
  case circumstances
  /// Add this to the system's clock.
  case setClock(Duration)

  /// Bytes of an encoded order.
  package static let size = 96
  private static let pathOffset = 32
  private static let longestPath = 64
  /// A larger offset is no time of this century.
  private static let largestOffset = 1e10

  /// Whether the helper may write there: a socket directly in `/run` whose name begins with `chrony.`, as AppArmor's profile of chronyd
  /// allows it, in plain characters.
  package static func isSocketPath(_ path: String) -> Bool {
    guard path.utf8.count <= longestPath, path.hasPrefix("/run/chrony."), path.hasSuffix(".sock") else { return false }
    return path.dropFirst(5).utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }

  package var encoded: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.size)
    switch self {
    case .socket(let path, let sample):
      bytes[0] = 1
      Self.put(sample, into: &bytes)
      let path = path.utf8.prefix(Self.longestPath)
      bytes[4] = UInt8(path.count)
      bytes.replaceSubrange(Self.pathOffset..<Self.pathOffset + path.count, with: path)
    case .sharedMemory(let unit, let sample):
      bytes[0] = 2
      Self.put(sample, into: &bytes)
      bytes[3] = unit
    case .circumstances: bytes[0] = 3
    case .setClock(let offset):
      bytes[0] = 4
      HelperBytes.put(offset.wholeNanoseconds, into: &bytes, at: 8)
    }
    return bytes
  }

  /// `nil`: the bytes are no order, and nothing is done.
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count == Self.size else { return nil }
    let bytes = Array(bytes)
    switch bytes[0] {
    case 1:
      let length = Int(bytes[4])
      guard length <= Self.longestPath, let sample = Self.sample(bytes),
        let path = String(validating: bytes[Self.pathOffset..<Self.pathOffset + length], as: UTF8.self),
        Self.isSocketPath(path)
      else { return nil }
      self = .socket(path, sample)
    case 2:
      guard let sample = Self.sample(bytes) else { return nil }
      self = .sharedMemory(unit: bytes[3], sample)
    case 3: self = .circumstances
    case 4: self = .setClock(.nanoseconds(HelperBytes.integer(bytes, at: 8)))
    default: return nil
    }
  }

  private static func put(_ sample: TimeSample, into bytes: inout [UInt8]) {
    bytes[1] = sample.leap.rawValue
    bytes[2] = sample.isPulse ? 1 : 0
    HelperBytes.put(sample.system.nanosecondsSince1970, into: &bytes, at: 8)
    HelperBytes.put(Int64(bitPattern: sample.offsetSeconds.bitPattern), into: &bytes, at: 16)
    HelperBytes.put(Int64(bitPattern: sample.uncertaintySeconds.bitPattern), into: &bytes, at: 24)
  }

  private static func sample(_ bytes: [UInt8]) -> TimeSample? {
    let offset = Double(bitPattern: UInt64(bitPattern: HelperBytes.integer(bytes, at: 16)))
    let uncertainty = Double(bitPattern: UInt64(bitPattern: HelperBytes.integer(bytes, at: 24)))
    guard let leap = LeapIndicator(rawValue: bytes[1]), bytes[2] <= 1, offset.isFinite, abs(offset) <= largestOffset,
      uncertainty.isFinite, uncertainty >= 0
    else { return nil }
    return TimeSample(
      system: GNSSTime(nanosecondsSince1970: HelperBytes.integer(bytes, at: 8)), offsetSeconds: offset,
      uncertaintySeconds: uncertainty, isPulse: bytes[2] == 1, leap: leap)
  }
}

/// The helper's answer to an order.
///
/// | offset | type   | field |
/// |--:|---|---|
/// | 0  | uint8  | kind of the order |
/// | 1  | uint8  | circumstances: bit 0 enabled, 1 chrony, 2 active time service, 3 synchronized, 4 set since boot |
/// | 2  | uint8  | 1: `newestFileTime` is known |
/// | 4  | int32  | errno, 0 if it was carried out, 1000: not in the settings; kind 4: 256 plus the `ClockRefusal` |
/// | 8  | int64  | `newestFileTime`, ns since 1970 |
package enum TimeAnswer: Hashable, Sendable {
  /// A sample was sent, or the system's error, or `notInSettings`.
  case sample(errno: Int32)
  case circumstances(ClockCircumstances)
  case clock(Result)

  /// How setting the clock has ended.
  package enum Result: Hashable, Sendable {
    case done
    case refused(ClockRefusal)
    case failed(errno: Int32)
  }

  package static let size = 16
  /// The sink is not one of the settings that the helper has read; no error of the system has this number.
  package static let notInSettings: Int32 = 1000
  private static let refusal: Int32 = 256

  package var encoded: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.size)
    switch self {
    case .sample(let errno):
      bytes[0] = 1
      HelperBytes.put(Int64(errno) << 32, into: &bytes, at: 0, keeping: 4)
    case .circumstances(let known):
      bytes[0] = 3
      let flags = [
        known.isEnabled, known.hasChrony, known.hasActiveTimeService, known.isSynchronized, known.wasSetSinceBoot,
      ]
      for (bit, flag) in flags.enumerated() where flag { bytes[1] |= 1 << UInt8(bit) }
      if let time = known.newestFileTime {
        bytes[2] = 1
        HelperBytes.put(time.nanosecondsSince1970, into: &bytes, at: 8)
      }
    case .clock(let result):
      bytes[0] = 4
      let code: Int32 =
        switch result {
        case .done: 0
        case .failed(let errno): errno
        case .refused(let refusal): Self.refusal + Int32(refusal.rawValue)
        }
      HelperBytes.put(Int64(code) << 32, into: &bytes, at: 0, keeping: 4)
    }
    return bytes
  }

  /// `nil`: the bytes are no answer.
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count == Self.size else { return nil }
    let bytes = Array(bytes)
    let code = Int32(truncatingIfNeeded: HelperBytes.integer(bytes, at: 0) >> 32)
    switch bytes[0] {
    case 1: self = .sample(errno: code)
    case 3:
      var known = ClockCircumstances()
      known.isEnabled = bytes[1] & 1 != 0
      known.hasChrony = bytes[1] & 2 != 0
      known.hasActiveTimeService = bytes[1] & 4 != 0
      known.isSynchronized = bytes[1] & 8 != 0
      known.wasSetSinceBoot = bytes[1] & 16 != 0
      if bytes[2] == 1 {
        known.newestFileTime = GNSSTime(nanosecondsSince1970: HelperBytes.integer(bytes, at: 8))
      }
      self = .circumstances(known)
    case 4:
      if code == 0 {
        self = .clock(.done)
      } else if code >= Self.refusal {
        guard let refusal = UInt8(exactly: code - Self.refusal).flatMap(ClockRefusal.init(rawValue:)) else {
          return nil
        }
        self = .clock(.refused(refusal))
      } else {
        self = .clock(.failed(errno: code))
      }
    default: return nil
    }
  }
}

/// Integers in the messages of the helper, little-endian on every machine.
private enum HelperBytes {
  /// - Parameter keeping: this many bytes at the beginning stay as they are.
  static func put(_ value: Int64, into bytes: inout [UInt8], at offset: Int, keeping: Int = 0) {
    for index in keeping..<8 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * Int64(index))) }
  }

  static func integer(_ bytes: [UInt8], at offset: Int) -> Int64 {
    (0..<8).reduce(0) { $0 | Int64(bytes[offset + $1]) << (8 * Int64($1)) }
  }
}
