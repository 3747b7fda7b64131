import Geodesy

/// Field 1 is a list of logs; 2 a page's entries, 3 its bookmark, 4 what was left out of it, 5 what
/// keeps the log from being recorded.
extension LogAnswer: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .logs(let logs): message.put(1, logs, limit: MessageLimits.logs)
    case .page(let page):
      message.put(2, page.entries, limit: MessageLimits.entries)
      message.put(3, page.next.map { UInt64($0.rawValue) })
      message.put(4, UInt64(clamping: page.damaged))
      message.put(5, page.problem)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    if let logs = try fields.list(1, limit: MessageLimits.logs, LogDescription.self) {
      self = .logs(logs)
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
