import Geodesy
import LocationPolicy

/// Field 1 is a list of logs; 2 a page's entries, 3 its bookmark, 4 the number of damaged parts, 5 the problem that stops the
/// recording; 6 are the pieces of an encrypted page, with 3 and 5; 7 is the state of an import; 8 is a list of notes, 9 where it
/// continues, and 10 how many are damaged.
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
    case .notes(let notes, let next, let damaged):
      message.put(8, notes, limit: MessageLimits.notes)
      message.put(9, next.map { UInt64(clamping: $0) })
      message.put(10, damaged > 0 ? UInt64(clamping: damaged) : nil)
    case .imported(let report): message.put(7, report)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    if let logs = try fields.list(1, limit: MessageLimits.logs, LogDescription.self) {
      self = .logs(logs)
      return
    }
    if let pieces = try fields.list(6, limit: MessageLimits.pieces, EncryptedPiece.self) {
      var page = EncryptedPage(pieces: pieces, next: try fields.integer(3, UInt32.self).map { LogRequest.Bookmark($0) })
      page.problem = try fields.content(5)
      self = .sealed(page)
      return
    }
    if let notes = try fields.list(8, limit: MessageLimits.notes, StoredNote.self) {
      self = .notes(notes, next: try fields.integer(9), damaged: try fields.integer(10) ?? 0)
      return
    }
    if let report = try fields.content(7, LogImportReport.self) {
      self = .imported(report)
      return
    }
    var page = LogPage(
      entries: try fields.list(2, limit: MessageLimits.entries).required(2),
      next: try fields.integer(3, UInt32.self).map { LogRequest.Bookmark($0) }, damaged: try fields.integer(4) ?? 0)
    page.problem = try fields.content(5)
    self = .page(page)
  }
}

extension LogImportReport: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, UInt64(clamping: added))
    message.put(2, UInt64(clamping: known))
    message.put(3, UInt64(clamping: tooOld))
    message.put(4, UInt64(clamping: waiting))
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    self.init(
      added: try fields.integer(1).required(1), known: try fields.integer(2).required(2),
      tooOld: try fields.integer(3).required(3), waiting: try fields.integer(4).required(4))
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

/// Field 1 is the record of an encrypted note. Otherwise 2 is the text, 3 the time, 4 and 5 are latitude and longitude, 6 is the
/// radius, and 7 and 8 are the heights above the ellipsoid and above mean sea level.
extension StoredNote: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .sealed(let record): message.put(1, record)
    case .open(let note):
      message.put(2, note.text)
      message.put(3, signed: note.time.nanosecondsSince1970)
      message.put(4, note.coordinate.latitude.degrees)
      message.put(5, note.coordinate.longitude.degrees)
      message.put(6, note.horizontalRadius68.value)
      message.put(7, note.heightAboveEllipsoid?.value)
      message.put(8, note.heightAboveMeanSeaLevel?.value)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    if let record = try fields.bytes(1) {
      self = .sealed(record)
      return
    }
    let (latitude, longitude) = (try fields.double(4).required(4), try fields.double(5).required(5))
    guard let coordinate = Coordinate(checkingLatitude: latitude, longitude: longitude) else {
      throw .outOfRange(field: 4, found: latitude.bitPattern)
    }
    let radius = try fields.double(6).required(6)
    guard radius > 0 else { throw .outOfRange(field: 6, found: radius.bitPattern) }
    let text = try fields.text(2).required(2)
    guard
      var note = TrackNote(
        text, time: GNSSTime(nanosecondsSince1970: try fields.signed(3).required(3)), coordinate: coordinate,
        horizontalRadius68: Meters(radius))
    else { throw .outOfRange(field: 2, found: UInt64(text.utf8.count)) }
    note.heightAboveEllipsoid = try fields.double(7).map { Meters($0) }
    note.heightAboveMeanSeaLevel = try fields.double(8).map { Meters($0) }
    self = .open(note)
  }
}

/// Field 1 is the beginning of a segment; 2 are blocks and 3 the place of the first; none of them: an unreadable part.
extension EncryptedPiece: MessageContent {
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

extension LogDescription: MessageContent {
  func write(to message: inout MessageWriter) {
    message.put(1, name)
    message.put(2, isRunning)
    message.put(3, SealedOptions(options, publicKey))
    message.put(4, UInt64(clamping: bytes))
    message.put(5, signed: begin?.nanosecondsSince1970)
    message.put(6, signed: end?.nanosecondsSince1970)
    message.put(7, problem)
    message.put(9, owner)
    message.put(10, isInterrupted ? true : nil)
    message.put(11, points.map { UInt64(clamping: $0) })
    message.put(12, distance?.value)
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let sealed: SealedOptions = try fields.content(3).required(3)
    self.init(
      name: try fields.text(1).required(1), isRunning: try fields.flag(2).required(2), options: sealed.options,
      bytes: try fields.integer(4).required(4))
    publicKey = sealed.publicKey
    begin = try fields.signed(5).map { GNSSTime(nanosecondsSince1970: $0) }
    end = try fields.signed(6).map { GNSSTime(nanosecondsSince1970: $0) }
    problem = try fields.content(7)
    owner = try fields.content(9)
    isInterrupted = try fields.flag(10) ?? false
    points = try fields.integer(11)
    distance = try fields.double(12).map { Meters($0) }
  }
}

/// Field 1 is the case.
extension LogProblem: MessageContent {
  func write(to message: inout MessageWriter) {
    switch self {
    case .noRoom(let free, let needed):
      message.put(1, 0 as UInt64)
      message.put(2, UInt64(clamping: free))
      message.put(3, UInt64(clamping: needed))
    case .inUse: message.put(1, 1 as UInt64)
    case .cannotWrite(let errno):
      message.put(1, 2 as UInt64)
      message.put(4, signed: Int64(errno))
    case .notAllowed: message.put(1, 3 as UInt64)
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(1).required(1)
    switch code {
    case 0: self = .noRoom(free: try fields.integer(2).required(2), needed: try fields.integer(3).required(3))
    case 1: self = .inUse
    case 2: self = .cannotWrite(errno: try fields.signedInteger(4).required(4))
    case 3: self = .notAllowed
    default: throw .unknownCode(field: 1, found: code)
    }
  }
}

/// Field 1 is the case, 2 its content.
extension LogFailure: MessageContent {
  func write(to message: inout MessageWriter) {
    func put(_ code: UInt64, _ name: String? = nil) {
      message.put(1, code)
      message.put(2, name)
    }
    switch self {
    case .unknown(let name, let known):
      put(0, name)
      message.put(3, known, limit: MessageLimits.logs)
    case .badName(let name): put(1, name)
    case .needsDaemon: put(2)
    case .tooManyReadings(let limit):
      put(3)
      message.put(4, UInt64(clamping: limit))
    case .unknownBookmark: put(4)
    case .cannotKeep(let path, let reason, let cause):
      put(5, path)
      message.put(5, reason)
      message.put(8, cause)
    case .tooManyLogs(let limit):
      put(6)
      message.put(4, UInt64(clamping: limit))
    case .endLost(let name, let problem):
      put(7, name)
      message.put(6, problem)
    case .recordedElsewhere(let name, let processID):
      put(8, name)
      message.put(7, signed: processID.map { Int64($0) })
    case .sealed(let name, let key):
      put(9, name)
      message.put(5, key)
    case .notSealed(let name): put(10, name)
    case .differentPublicKey(let name, let key):
      put(11, name)
      message.put(5, key)
    case .invalidPublicKey(let text): put(12, text)
    case .nameTaken(let name): put(15, name)
    case .badNote(let limit):
      put(16)
      message.put(4, UInt64(clamping: limit))
    case .noPosition(let name): put(17, name)
    case .tooManyNotes(let name, let limit):
      put(18, name)
      message.put(4, UInt64(clamping: limit))
    case .full(let name, let megabytes):
      put(13, name)
      message.put(4, UInt64(clamping: megabytes))
    case .importedElsewhere(let name): put(14, name)
    case .tooManyImports(let limit):
      put(19)
      message.put(4, UInt64(clamping: limit))
    }
  }

  init(_ fields: borrowing MessageFields) throws(MessageError) {
    let code = try fields.number(1).required(1)
    let name = try fields.text(2) ?? ""
    switch code {
    case 0: self = .unknown(name: name, known: try fields.texts(3, limit: MessageLimits.logs) ?? [])
    case 1: self = .badName(name)
    case 2: self = .needsDaemon
    case 3: self = .tooManyReadings(limit: try fields.integer(4).required(4))
    case 4: self = .unknownBookmark
    case 5: self = .cannotKeep(path: name, reason: try fields.text(5) ?? "", cause: try fields.code(8) ?? .other)
    case 6: self = .tooManyLogs(limit: try fields.integer(4).required(4))
    case 7: self = .endLost(name: name, try fields.content(6).required(6))
    case 8: self = .recordedElsewhere(name: name, processID: try fields.signedInteger(7))
    case 9: self = .sealed(name: name, key: try fields.text(5) ?? "")
    case 10: self = .notSealed(name: name)
    case 11: self = .differentPublicKey(name: name, key: try fields.text(5))
    case 12: self = .invalidPublicKey(name)
    case 15: self = .nameTaken(name)
    case 16: self = .badNote(limit: try fields.integer(4).required(4))
    case 17: self = .noPosition(name: name)
    case 18: self = .tooManyNotes(name: name, limit: try fields.integer(4).required(4))
    case 13: self = .full(name: name, megabytes: try fields.integer(4).required(4))
    case 14: self = .importedElsewhere(name: name)
    case 19: self = .tooManyImports(limit: try fields.integer(4).required(4))
    default: throw .unknownCode(field: 1, found: code)
    }
  }
}
