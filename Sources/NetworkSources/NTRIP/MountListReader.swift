/// Reads a caster's answer to the request for its list of mount points, on one connection.
package struct MountListReader: Sendable {
  /// In the order of the list; at most `SourceTableReader.mostLines`.
  package private(set) var mounts: [MountPoint] = []
  /// Whether the list was cut off because it is too long.
  package var isCut: Bool { table.isCut }

  private var reply = CasterReplyReader()
  private var hasReply = false
  private var chunks: ChunkReader?
  private var table = SourceTableReader()

  package init() {}

  /// Reads the next bytes; returns whether the list is complete, so that the connection can be closed.
  package mutating func receive(_ bytes: Span<UInt8>) throws(NTRIPProblem) -> Bool {
    guard !hasReply else { return try readBody(bytes) }
    let found: (reply: CasterReply, body: Int)?
    do throws(CasterReplyError) {
      found = try reply.push(bytes)
    } catch {
      throw .notACaster
    }
    guard let found else { return false }
    hasReply = true
    if let problem = Self.problem(in: found.reply.content) { throw problem }
    if found.reply.isChunked { chunks = ChunkReader() }
    return try readBody(bytes.extracting(found.body..<bytes.count))
  }

  /// The caster closed the connection, which often is the end of the list.
  package mutating func close() throws(NTRIPProblem) {
    if let reply = reply.reply(), let problem = Self.problem(in: reply.content) { throw problem }
    guard !reply.isEmpty else { throw .noAnswer }
    guard hasReply else { throw .notACaster }
    var found: [MountPoint] = []
    table.finish { found.append($0) }
    mounts += found
    guard !mounts.isEmpty || table.lineCount > 0 else { throw .notACaster }
  }

  private mutating func readBody(_ bytes: Span<UInt8>) throws(NTRIPProblem) -> Bool {
    guard chunks != nil else {
      readTable(bytes)
      return table.isEnded
    }
    var ranges: [Range<Int>] = []
    do throws(ChunkReader.Failure) {
      try chunks?.push(bytes) { ranges.append($0) }
    } catch {
      throw .badChunks
    }
    for range in ranges { readTable(bytes.extracting(range)) }
    return table.isEnded || chunks?.isEnded == true
  }

  private mutating func readTable(_ bytes: Span<UInt8>) {
    var found: [MountPoint] = []
    table.push(bytes) { found.append($0) }
    mounts += found
  }

  /// Why an answer is not a list; `nil`: it is a list, even if its content type is that of corrections.
  private static func problem(in content: CasterReply.Content) -> NTRIPProblem? {
    switch content {
    case .corrections, .sourceTable: nil
    case .webPage: .webPage
    case .redirected(let status): .redirected(status)
    case .refused(let status) where status == 401 || status == 403: .unauthorized(status)
    case .refused(let status): .refused(status)
    case .error(let text): .error(text)
    case .encoded: .encoded
    }
  }
}
