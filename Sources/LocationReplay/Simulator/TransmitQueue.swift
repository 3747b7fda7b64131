import Geodesy

/// A receiver's transmitter: bytes go in when they are produced and come out when the line has transmitted them.
struct TransmitQueue: Sendable {
  /// The queue's limit, bytes; a receiver that is configured to send more than its line can transmit drops whole epochs, as u-blox
  /// does ("txbuf alloc").
  static let capacity = 16_384

  private let pacing: SimulatedReceiver.Pacing
  private let nanosecondsPerByte: Int64
  private var waiting: [UInt8] = []
  private var sent = 0
  /// The start of the transmission of the waiting bytes: when the line had transmitted everything output so far, or
  /// when the first waiting byte was queued, whichever is later.
  private var lineFrom = Instant(nanoseconds: 0)

  init(pacing: SimulatedReceiver.Pacing, baud: Int) {
    self.pacing = pacing
    // 8N1: ten bits per byte.
    self.nanosecondsPerByte = 10_000_000_000 / Int64(min(max(baud, 50), CaptureFormat.highestBaud))
  }

  private var waitingCount: Int { waiting.count - sent }

  /// Queues bytes that were produced at `now`, all or none.
  mutating func append(_ bytes: [UInt8], at now: Instant) {
    guard waitingCount + bytes.count <= Self.capacity else { return }
    if waitingCount == 0 { lineFrom = max(lineFrom, now) }
    waiting.removeSubrange(..<sent)
    sent = 0
    waiting += bytes
  }

  /// When the next piece is transmitted; `nil` if nothing is waiting.
  var nextDeadline: Instant? {
    waitingCount == 0 ? nil : lineFrom + .nanoseconds(Int64(nextPieceCount) * nextPieceNanosecondsPerByte)
  }

  /// The next piece that is transmitted at `now`, or `nil`.
  mutating func next(at now: Instant) -> [UInt8]? {
    guard let deadline = nextDeadline, deadline <= now else { return nil }
    let piece = Array(waiting[sent..<(sent + nextPieceCount)])
    sent += piece.count
    lineFrom = deadline
    return piece
  }

  private var nextPieceCount: Int {
    switch pacing {
    case .atOnce: waitingCount
    case .dribbled(let chunkBytes): min(waitingCount, max(1, chunkBytes))
    }
  }

  private var nextPieceNanosecondsPerByte: Int64 {
    switch pacing {
    case .atOnce: 0
    case .dribbled: nanosecondsPerByte
    }
  }
}
