import Geodesy
import LinuxIO
import LocationDatabase
import LocationIPC
import LocationPolicy
import LocationStore

/// The notes and the names of logs.
extension LogService {
  /// Gives a log another name, even while the log is recorded.
  func rename(
    _ name: String, to new: String, _ id: RequestID, of requester: LogOwner?
  ) throws(DatabaseError) -> ServiceEvent {
    return try with(name, id, of: requester) { log, open throws(DatabaseError) in
      if try open.index.log(named: new) == nil, !LogName.allows(new) { return .failed(id, .log(.badName(new))) }
      return try claiming(log, in: open.index.folder(of: log), id) { () throws(DatabaseError) in
        guard try open.index.rename(log, to: new) else { return .failed(id, .log(.nameTaken(new))) }
        if let renamed = try open.index.log(named: new) { recorded(log)?.rename(to: renamed) }
        return .done(id)
      }
    }
  }

  func notes(
    of name: String, from first: Int, _ id: RequestID, of requester: LogOwner?
  ) throws(DatabaseError) -> ServiceEvent {
    return try with(name, id, of: requester, in: readable()) { log, open throws(DatabaseError) in
      let records: [NoteRecord]
      do throws(SystemError) {
        records = try NoteFile(open.index.folder(of: log)).records()
      } catch {
        throw .system(error)
      }
      let part = records.dropFirst(max(0, first)).prefix(MessageLimits.notes)
      // Which notes of an encrypted log are damaged is visible only to the owner of the key.
      let notes: [StoredNote] = part.compactMap { record in
        log.configuration.publicKey == nil ? record.note().map { .open($0) } : .sealed(record.bytes)
      }
      let next = part.endIndex < records.endIndex ? part.endIndex : nil
      return .log(id, .notes(notes, next: next, damaged: part.count - notes.count))
    }
  }

  func note(
    _ text: String, _ name: String, _ id: RequestID, of requester: LogOwner?
  ) throws(DatabaseError) -> ServiceEvent {
    guard records else { return .failed(id, .log(.needsDaemon)) }
    guard TrackNote.isValid(text) else { return .failed(id, .log(.badNote(limit: TrackNote.maximumLength))) }
    return try with(name, id, of: requester) { log, open throws(DatabaseError) in
      try claiming(log, in: open.index.folder(of: log), id) { () throws(DatabaseError) in
        let folder = open.index.folder(of: log)
        let key = log.configuration.publicKey
        var position = recorded(log)?.notePosition(at: present)
        // The positions of an encrypted log cannot be read.
        if position == nil, key == nil { position = folder.lastFix.map { ($0, clock() ?? $0.time) } }
        guard let (fix, time) = position, let note = TrackNote(text, at: fix, time: time) else {
          return .failed(id, .log(.noPosition(name: name)))
        }
        guard let record = NoteRecord(note, publicKey: key) else {
          return .failed(id, .log(.invalidPublicKey(key?.text ?? "")))
        }
        do throws(SystemError) {
          let isStored = try NoteFile(folder).append(record)
          return isStored ? .done(id) : .failed(id, .log(.tooManyNotes(name: name, limit: NoteFile.mostNotes)))
        } catch {
          throw .system(error)
        }
      }
    }
  }
}
