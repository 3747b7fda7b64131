import Geodesy
import WireFormats

/// The corrections that a simulated receiver for RTK has received: frames of RTCM 3 with a correct CRC, and no others.
///
/// With a station and its observations, the solution is float, and after `timeToFix` without a gap, fixed. Old corrections end both.
package struct UbloxCorrections: Hashable, Sendable {
  package enum Solution: UInt8, Hashable, Sendable {
    case none = 0
    case float = 1
    case fixed = 2
  }

  /// From the first observations to a fixed solution.
  static let timeToFix: Duration = .seconds(3)
  /// Older observations are of no use.
  static let longestAge: Duration = .seconds(60)
  /// A longer gap starts the solution again.
  static let longestGap: Duration = .seconds(5)

  /// The numbers of valid frames, and of those with a wrong CRC.
  package private(set) var (frames, badFrames) = (0, 0)
  private var hasStation = false
  private var (first, last): (Instant?, Instant?) = (nil, nil)
  private var pending: [UInt8] = []

  mutating func receive(_ bytes: [UInt8], at now: Instant) {
    pending += bytes
    var position = 0
    scanning: while position < pending.count {
      switch RTCMFraming.check(pending.span, at: position) {
      case .frame(let length):
        frames += 1
        use(Array(pending[position + 3..<position + length - 3]), at: now)
        position += length
      case .incomplete: break scanning
      case .wrongChecksum:
        badFrames += 1
        position += 1
      case .nothing: position += 1
      }
    }
    pending.removeSubrange(0..<position)
  }

  /// DF002, the number of the message: its first twelve bits.
  private mutating func use(_ message: [UInt8], at now: Instant) {
    guard message.count >= 2 else { return }
    switch Int(message[0]) << 4 | Int(message[1]) >> 4 {
    case 1005, 1006: hasStation = true
    case 1001...1004, 1009...1012, 1071...1137:
      if last.map({ now - $0 > Self.longestGap }) ?? true { first = now }
      last = now
    default: break
    }
  }

  func solution(at now: Instant) -> Solution {
    guard hasStation, let first, let last, now - last <= Self.longestAge else { return .none }
    return now - first >= Self.timeToFix ? .fixed : .float
  }

  /// The class of the age in NAV-PVT, `lastCorrectionAge` (UBX-18010854, section 5.14.9): 0 not available, 1 up to 1 s, 2 up to 2 s,
  /// 3 up to 5 s, 4 up to 10 s, 5 up to 15 s, 6 up to 20 s, 7 up to 30 s, 8 up to 45 s, 9 up to 60 s.
  func ageClass(at now: Instant) -> UInt16 {
    guard let last else { return 0 }
    let bounds: [Double] = [1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120]
    let age = (now - last).inSeconds
    return UInt16((bounds.firstIndex { age < $0 } ?? bounds.count) + 1)
  }
}
