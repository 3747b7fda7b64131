import Geodesy
import LocationIPC
import LocationPolicy

/// Messages about logs.
extension MessageGenerator {
  mutating func logRequest() -> LogRequest {
    switch int(0...14) {
    case 7: .rename(name: text(), to: text())
    case 8: .note(name: text(), text: text())
    case 9: .notes(name: text(), from: int(0...999))
    case 10: .follow(name: text(), from: maybe { $0.time() })
    case 11: .followSealed(name: text(), from: maybe { $0.time() })
    case 12: .followOn(LogRequest.Bookmark(UInt32(int(0...Int(UInt32.max)))))
    case 13: .addImported(name: text(), list(upTo: 8) { $0.trackEntry() })
    case 14: .finishImport(name: text())
    case 0: .start(name: text(), logOptions(), publicKey: maybe { $0.text() })
    case 1: .stop(name: text())
    case 2: .remove(name: text())
    case 3: .list
    case 4: .read(name: text(), from: maybe { $0.time() }, to: maybe { $0.time() })
    case 5: .readSealed(name: text(), from: maybe { $0.time() }, to: maybe { $0.time() })
    default: .readOn(LogRequest.Bookmark(UInt32(int(0...Int(UInt32.max)))))
    }
  }

  mutating func logAnswer() -> LogAnswer {
    if flag() { return .logs(list(upTo: 5) { $0.logDescription() }) }
    if flag() { return .sealed(sealedPage()) }
    if flag() { return .notes(list(upTo: 5) { $0.storedNote() }, next: maybe { $0.int(0...999) }, damaged: int(0...9)) }
    if flag() {
      return .imported(
        LogImportReport(added: int(0...9), known: int(0...9), tooOld: int(0...9), waiting: int(0...20_000)))
    }
    var page = LogPage(
      entries: list(upTo: 8) { $0.trackEntry() }, next: maybe { LogRequest.Bookmark(UInt32($0.int(0...99))) },
      damaged: int(0...9))
    page.problem = maybe { $0.logProblem() }
    return .page(page)
  }

  private mutating func trackEntry() -> TrackEntry {
    int(0...3) == 0 ? .interruption(one(of: TrackInterruption.allCases)) : .fix(fix())
  }

  mutating func logFailure() -> LogFailure {
    switch int(0...19) {
    case 19: .tooManyImports(limit: int(0...9))
    case 17: .full(name: text(), megabytes: int(1...1_000_000))
    case 18: .importedElsewhere(name: text())
    case 13: .nameTaken(text())
    case 14: .badNote(limit: int(0...999))
    case 15: .noPosition(name: text())
    case 16: .tooManyNotes(name: text(), limit: int(0...999))
    case 0: .unknown(name: text(), known: list(upTo: 5) { $0.text() })
    case 1: .badName(text())
    case 2: .needsDaemon
    case 3: .tooManyReadings(limit: int(0...9))
    case 4: .unknownBookmark
    case 5: .tooManyLogs(limit: int(0...999))
    case 6: .endLost(name: text(), logProblem())
    case 7: .recordedElsewhere(name: text(), processID: maybe { Int32($0.int(1...4_194_304)) })
    case 8: .sealed(name: text(), key: text())
    case 9: .notSealed(name: text())
    case 10: .differentPublicKey(name: text(), key: maybe { $0.text() })
    case 11: .invalidPublicKey(text())
    default: .cannotKeep(path: text(), reason: text(), cause: one(of: StorageCause.allCases))
    }
  }

  mutating func logDescription() -> LogDescription {
    var log = LogDescription(name: text(), isRunning: flag(), options: logOptions(), bytes: int(0...1 << 40))
    log.publicKey = maybe { $0.text() }
    log.begin = maybe { $0.time() }
    log.end = maybe { $0.time() }
    log.problem = maybe { $0.logProblem() }
    log.owner = maybe { $0.identity() }
    log.points = maybe { $0.int(0...1 << 40) }
    log.distance = maybe { Meters($0.positive()) }
    return log
  }

  private mutating func storedNote() -> StoredNote {
    if flag() { return .sealed(list(upTo: 200) { UInt8($0.int(0...255)) }) }
    let fix = fix()
    guard var note = TrackNote("note \(int(0...999)) é", at: fix, time: time()) else { return .sealed([]) }
    note.heightAboveEllipsoid = maybe { Meters($0.positive()) }
    note.heightAboveMeanSeaLevel = maybe { Meters(-$0.positive()) }
    return .open(note)
  }

  private mutating func logProblem() -> LogProblem {
    switch int(0...3) {
    case 0: .noRoom(free: int(0...1 << 40), needed: int(0...1 << 40))
    case 1: .inUse
    case 2: .notAllowed
    default: .cannotWrite(errno: Int32(int(0...133)))
    }
  }

  private mutating func logOptions() -> LogOptions {
    var options = LogOptions()
    options.distanceFilter = maybe { Meters($0.positive()) }
    options.interval = maybe { .nanoseconds(Int64($0.int(0...1_000_000_000_000_000))) }
    options.desiredRadius68 = maybe { Meters($0.positive()) }
    options.keepsStandstill = flag()
    options.keepsSuspects = flag()
    options.retention = maybe { $0.flag() ? .days($0.int(1...36_500)) : .megabytes($0.int(1...1_000_000)) }
    return options
  }

  private mutating func sealedPage() -> EncryptedPage {
    var page = EncryptedPage(
      pieces: list(upTo: 6) { generator in
        switch generator.int(0...2) {
        case 0: .segment(generator.list(upTo: 200) { UInt8($0.int(0...255)) })
        case 1: .blocks(at: UInt32(generator.int(0...9999)), generator.list(upTo: 200) { UInt8($0.int(0...255)) })
        default: .unreadable
        }
      }, next: maybe { LogRequest.Bookmark(UInt32($0.int(0...99))) })
    page.problem = maybe { $0.logProblem() }
    return page
  }

  mutating func time() -> GNSSTime {
    GNSSTime(nanosecondsSince1970: Int64(int(Int(Int64.min)...Int(Int64.max))))
  }
}
