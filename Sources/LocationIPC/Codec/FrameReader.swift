/// Splits the bytes from the socket into messages, independently of their chunks.
package struct FrameReader: Sendable {
  /// Size of a frame's length, bytes.
  static let prefix = 4

  /// The largest accepted payload, bytes.
  private let limit: Int
  private var buffer: [UInt8] = []
  private var start = 0

  package init(limit: Int) { self.limit = limit }

  /// Whether a message is partly received.
  package var isWithinMessage: Bool { start < buffer.count }

  package mutating func push(_ bytes: ArraySlice<UInt8>) {
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 65_536)
      start = 0
    }
    buffer += bytes
  }

  /// The next complete message, type and fields; `nil`: more bytes are needed.
  package mutating func next() throws(MessageError) -> ArraySlice<UInt8>? {
    guard buffer.count - start >= Self.prefix else { return nil }
    var count: UInt64 = 0
    for index in 0..<Self.prefix { count |= UInt64(buffer[start + index]) << (8 * UInt64(index)) }
    guard count > 0 else { throw .truncated(expected: 1, found: 0) }
    guard count <= UInt64(limit) else { throw .oversize(limit: limit, found: count) }
    let end = start + Self.prefix + Int(count)
    guard end <= buffer.count else {
      // Discard the consumed bytes before new ones arrive.
      if start > 0 {
        buffer.removeFirst(start)
        start = 0
      }
      return nil
    }
    defer { start = end }
    return buffer[start + Self.prefix..<end]
  }
}

/// The limits of everything that crosses the socket.
package enum MessageLimits {
  /// The largest payload of a client, bytes: the boundary of a region has up to 4096 corners.
  package static let request = 73_728
  /// The largest payload of the service, bytes: every list full of the longest texts.
  package static let event = 524_288
  /// The longest text, bytes of UTF-8; longer ones are truncated when written.
  package static let text = 200
  /// Maximum number of devices, and of names of devices, in a list.
  package static let devices = 64
  /// Maximum number of bounds in a list.
  package static let bounds = 32
  /// Maximum number of clients in a list.
  package static let clients = 256
  /// Maximum number of destinations, and of their names, in a list.
  package static let destinations = 32
  /// Maximum number of TCP ports in a list.
  package static let ports = 32
  /// Maximum number of logs in a list.
  package static let logs = 128
  /// Maximum number of entries of a track in a page; with the longest texts fewer fit (`TrackPager`).
  package static let entries = 2048
  /// Maximum number of entries in a request to import them, each of at most 140 bytes.
  package static let importedEntries = 500
  /// Maximum number of grants, and of prompts, in a list.
  package static let (grants, questions) = (512, 128)
  /// Maximum number of descriptions of purposes for full accuracy.
  package static let purposes = 16
  /// Maximum number of access points in a list, and of positions in a request.
  package static let (accessPoints, placesAdded) = (1024, 240)
  /// Maximum number of regions in a request or a page; of monitoring lists; and of visits in a page.
  package static let (regions, monitoringLists, visits) = (1024, 256, 1024)
  /// Maximum number of visits in a request to import them.
  package static let importedVisits = 500
  /// Maximum number of bytes of regions in one request or one page, unless a single region is larger.
  package static let regionBytes = 60_000
  /// Maximum number of pieces of an encrypted track in a page.
  package static let pieces = 256
  /// Maximum number of notes in an answer; each note of an encrypted log has 512 bytes.
  package static let notes = 500
  /// Maximum number of signals of a satellite.
  package static let signals = 16
  /// Maximum number of places in an answer and of sources of one place; and of languages in a query.
  package static let (foundPlaces, languages) = (10, 8)
  /// Maximum number of fixes that are delivered together, and of the bytes of which they consist (`FixBatch`).
  package static let (batchedFixes, batchBytes) = (1000, 64_000)
  /// Maximum number of baud rates in a failure.
  package static let speeds = 32
}
