import Geodesy

/// Gives a receiver what is known, a message at a time: its buffer is small, and not all acknowledge what they take.
struct AssistanceGift: Sendable {
  /// Between two messages; a slow line takes longer by itself.
  static let pause: Duration = .milliseconds(10)

  private var waiting: ArraySlice<[UInt8]>
  private let nanosecondsPerByte: Int64
  /// When the next message may go; `nil`: all are gone.
  private(set) var deadline: Instant?

  init(_ messages: [[UInt8]], baud: Int?, at now: Instant) {
    waiting = messages[...]
    nanosecondsPerByte = baud.map { 10_000_000_000 / Int64(max($0, 50)) } ?? 0
    deadline = waiting.isEmpty ? nil : now
  }

  /// The message that is due; empty where none is.
  mutating func next(at now: Instant) -> [UInt8] {
    guard let deadline, now >= deadline, let message = waiting.popFirst() else { return [] }
    let carried = Duration.nanoseconds(Int64(message.count) * nanosecondsPerByte)
    self.deadline = waiting.isEmpty ? nil : now + max(Self.pause, carried)
    return message
  }
}
