import Geodesy
import Testing

@testable import GNSSReceiver

/// Epochs of 480 bytes per second, as transmitted on a line of 9600 baud: 12 bytes every 12.5 ms, for half a second.
@Suite struct ArrivalTimingTests {
  private static let piece = 12
  private static let pieces = 40
  private static let pieceTime: Duration = .microseconds(12_500)

  private var rhythm = ArrivalTiming(at: Instant(nanoseconds: 0))
  private var second: Int64 = 1

  private func arrival(of piece: Int) -> Instant {
    Instant(nanoseconds: second * 1_000_000_000) + Self.pieceTime * piece
  }

  /// Reads an epoch when the arrival rhythm schedules it; returns the moments at which it was read, with the time at which its
  /// end was reported as the last one.
  private mutating func readEpoch(pieces: Int = ArrivalTimingTests.pieces) -> [Instant] {
    var reads: [Instant] = []
    var next = 1
    while next <= pieces {
      let now = max(
        arrival(of: next), reads.last.flatMap { rhythm.isResting ? restEnd ?? $0 : $0 } ?? arrival(of: next))
      var count = 0
      while next <= pieces, arrival(of: next) <= now {
        count += Self.piece
        next += 1
      }
      rhythm.received(count, at: now)
      if next > pieces { rhythm.epochCompleted(at: now) }
      restEnd = rhythm.rest(at: now)
      reads.append(now)
    }
    second += 1
    return reads
  }

  private var restEnd: Instant?

  @Test mutating func restsOnceItKnowsTheLineAndIsThereForTheEnd() {
    for _ in 0..<ArrivalTiming.epochsToLearn { #expect(readEpoch().count == Self.pieces) }
    let end = arrival(of: Self.pieces)
    let reads = readEpoch()
    #expect(reads.count < 10)
    #expect(reads.last == end)
  }

  @Test mutating func forgetsALineWhoseEpochsEndEarlier() {
    for _ in 0..<6 { _ = readEpoch() }
    let end = arrival(of: 20)
    #expect((readEpoch(pieces: 20).last ?? end) > end)
    // The read is late once; then every piece is read as it arrives, until the shorter epoch is known.
    #expect(readEpoch(pieces: 20).count == 20)
  }

  @Test mutating func doesNotRestWhereAnEpochComesImmediately() {
    for number in 1...20 {
      let now = Instant(nanoseconds: Int64(number) * 1_000_000_000)
      rhythm.received(480, at: now)
      rhythm.epochCompleted(at: now)
      #expect(rhythm.rest(at: now) == nil)
    }
  }

  @Test mutating func doesNotRestWhereEpochsEndIsNotKnown() {
    for number in 1...20 {
      for piece in 1...Self.pieces {
        let now = Instant(nanoseconds: Int64(number) * 1_000_000_000) + Self.pieceTime * piece
        rhythm.received(Self.piece, at: now)
        #expect(rhythm.rest(at: now) == nil)
      }
    }
  }

  @Test mutating func leavesNoMoreLyingThanTheKernelKeeps() throws {
    // 10,000 bytes in one of every two seconds.
    var longest: Duration = .zero
    for number in 1...8 {
      let start = Instant(nanoseconds: Int64(number) * 2_000_000_000)
      for piece in 1...100 {
        let now = start + .milliseconds(10) * piece
        rhythm.received(100, at: now)
        if piece == 100 { rhythm.epochCompleted(at: now) }
        if let end = rhythm.rest(at: now) { longest = max(longest, end - now) }
      }
    }
    #expect(longest > .zero)
    #expect(longest <= .milliseconds(210))
  }
}
