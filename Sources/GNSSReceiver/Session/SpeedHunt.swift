package import Geodesy

/// Finds the speed that a receiver talks at: listens at one after the other until a valid frame comes.
///
/// The last good speed first, then the defaults of receivers on sale by how common they are. It only listens; it never
/// writes.
package struct SpeedHunt: Sendable {
  /// The order after the last good speed: 9600 u-blox to M8, 38400 u-blox M9 on, 115200 Quectel, 4800 NMEA 0183.
  package static let commonSpeeds = [9600, 38_400, 115_200, 4800, 57_600, 230_400, 460_800, 921_600, 19_200]
  /// A receiver at 1 Hz is heard within a second; the rest is for its burst to begin.
  package static let listeningTime: Duration = .milliseconds(1200)
  /// So much noise without one frame is the wrong speed, without waiting for the time to pass.
  package static let noiseToGiveUp = 400

  /// Speeds still to come and gone by, in the order in which they are tried.
  package let speeds: [Int]
  private var index = 0
  /// Whether the round was begun anew, so that all speeds have had their turn.
  package private(set) var roundsDone = 0
  /// When the present speed's turn is over.
  package private(set) var deadline: Instant
  private var noiseAtStart = 0

  /// A hunt that begins now, at `lastGood` where one is known.
  package init(lastGood: Int?, at now: Instant) {
    speeds = (lastGood.map { [$0] } ?? []) + Self.commonSpeeds.filter { $0 != lastGood }
    deadline = now + Self.listeningTime
  }

  /// The speed whose turn it is.
  package var speed: Int { speeds[index] }

  /// The noise up to here is not the present speed's: it was heard, or held back, at the one before.
  package mutating func discountNoise(upTo noiseBytes: Int) { noiseAtStart = noiseBytes }

  /// Moves on where the present speed has had its turn; the new speed, or `nil` while it goes on.
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
