import Geodesy

/// Field 1 is a list of logs; 2 a page's entries, 3 its bookmark, 4 what was left out of it, 5 what
/// keeps the log from being recorded; 6 are the pieces of a sealed page, beside 3 and 5.
extension LogAnswer: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .logs(let logs): message.put(1, logs, limit: MessageLimits.logs)
    case .page(let page):
      message.put(2, page.entries, limit: MessageLimits.entries)
      message.put(3, page.next.map { UInt64($0.rawValue) })
      message.put(4, UInt64(clamping: page.damaged))
      message.put(5, page.problem)
    case .sealed(let page):
      message.put(3, page.next.map { UInt64($0.rawValue) })
      message.put(5, page.problem)
      message.put(6, page.pieces, limit: MessageLimits.pieces)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    if let logs = try fields.list(1, limit: MessageLimits.logs, LogDescription.self) {
      self = .logs(logs)
      return
    }
    if let pieces = try fields.list(6, limit: MessageLimits.pieces, SealedPiece.self) {
      var page = SealedPage(pieces: pieces, next: try fields.integer(3, UInt32.self).map { LogRequest.Bookmark($0) })
      page.problem = try fields.content(5)
      self = .sealed(page)
      return
    }
    var page = LogPage(
      entries: try fields.list(2, limit: MessageLimits.entries).required(2),
      next: try fields.integer(3, UInt32.self).map { LogRequest.Bookmark($0) }, damaged: try fields.integer(4) ?? 0)
    page.problem = try fields.content(5)
    self = .page(page)
  }
}

/// Field 1 is a fix, 2 an interruption.
extension TrackEntry: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .fix(let fix): message.put(1, fix)
    case .interruption(let interruption): message.put(2, interruption)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    if let fix = try fields.content(1, PositionFix.self) {
      self = .fix(fix)
    } else {
      self = .interruption(try fields.code(2).required(2))
    }
  }
}

extension TrackInterruption: WireCode {
  var wireCode: UInt64 {
    switch self {
    case .started: 0
    case .resumed: 1
    case .gap: 2
    case .paused: 3
    }
  }
}

/// Field 1 is what a segment begins with; 2 are blocks and 3 the place of the first; none of them: something that cannot be read.
extension SealedPiece: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .segment(let start): message.put(1, start)
    case .blocks(let index, let bytes):
      message.put(2, bytes)
      message.put(3, UInt64(index))
    case .unreadable: break
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    if let start = try fields.bytes(1) {
      self = .segment(start)
    } else if let bytes = try fields.bytes(2) {
      self = .blocks(at: try fields.integer(3).required(3), bytes)
    } else {
      self = .unreadable
    }
  }
}
