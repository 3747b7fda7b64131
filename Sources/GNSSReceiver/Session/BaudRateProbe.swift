package import Geodesy

/// Finds a receiver's baud rate: listens at one after the other until a valid frame comes.
///
/// The last good baud rate comes first, then the defaults of receivers on sale, the most common first. It only listens; it
/// never writes.
package struct BaudRateProbe: Sendable {
  /// The order after the last good baud rate: 9600 u-blox to M8, 38400 u-blox M9 on, 115200 Quectel, 4800 NMEA 0183.
  package static let commonSpeeds = [9600, 38_400, 115_200, 4800, 57_600, 230_400, 460_800, 921_600, 19_200]
  /// The time at each baud rate. A receiver at 1 Hz sends within a second; the rest allows its burst to begin.
  package static let listeningTime: Duration = .milliseconds(1200)
  /// After this many bytes of noise without a frame the baud rate counts as wrong, even before the time has passed.
  package static let noiseToGiveUp = 400

  /// All baud rates, in the order in which they are tried.
  package let speeds: [Int]
  private var index = 0
  /// Number of completed rounds over all baud rates.
  package private(set) var roundsDone = 0
  /// When the time for the current baud rate ends.
  package private(set) var deadline: Instant
  private var noiseAtStart = 0

  /// A probe that begins now, at `lastGood` if it is known.
  package init(lastGood: Int?, at now: Instant) {
    speeds = (lastGood.map { [$0] } ?? []) + Self.commonSpeeds.filter { $0 != lastGood }
    deadline = now + Self.listeningTime
  }

  /// The current baud rate.
  package var speed: Int { speeds[index] }

  /// Ignores the noise up to here: it was received, or buffered, at the previous baud rate.
  package mutating func discountNoise(upTo noiseBytes: Int) { noiseAtStart = noiseBytes }

  /// Moves to the next baud rate if the time for the current one has ended, or too much noise has arrived. Returns the
  /// new baud rate, or `nil` if the current one stays.
  package mutating func advance(noiseBytes: Int, at now: Instant) -> Int? {
    guard now >= deadline || noiseBytes - noiseAtStart >= Self.noiseToGiveUp else { return nil }
    index += 1
    if index == speeds.count {
      index = 0
      roundsDone += 1
    }
    noiseAtStart = noiseBytes
    deadline = now + Self.listeningTime
    return speed
  }
}
