/// What a receiver knew of its satellites, as the messages that it told it in.
package struct AssistanceData: Hashable, Sendable {
  /// A full database of four constellations has some 20 KiB; more is not kept.
  package static let maximumSize = 64 * 1024

  /// Whose it is, see `ReceiverKey`.
  package let key: ReceiverKey
  /// Whole UBX frames, one after another.
  package private(set) var frames: [[UInt8]] = []
  private var size = 0

  /// Nothing known yet.
  package init(key: ReceiverKey) { self.key = key }

  /// Adds a frame; `false` where it is too much.
  package mutating func append(_ frame: [UInt8]) -> Bool {
    guard size + frame.count <= Self.maximumSize else { return false }
    frames.append(frame)
    size += frame.count
    return true
  }

  /// All of it in one piece: a UBX log that any UBX program reads.
  package var bytes: [UInt8] { frames.flatMap { $0 } }
}
