import Geodesy
import LocationIPC
import LocationStore

/// Reads a log from the first page to the last, for any command that needs a track.
final class LogReading {
  private let session: CommandSession
  private let log: String
  private let range: (from: GNSSTime?, to: GNSSTime?)
  /// Decrypts an encrypted log; `nil`: no key was given.
  private var opener: EncryptedTrackDecryptor?
  /// Processes each entry; returns the exit status if reading cannot continue.
  private let body: (TrackEntry) -> CommandStatus?
  /// Receives the notes, before the entries; `nil` if they are not needed.
  private let onNotes: (([TrackNote]) -> Void)?
  private let key: OwnerKey?
  private var notes: [TrackNote] = []
  /// The number of notes that could not be decrypted or are damaged.
  private var damagedNotes = 0
  /// The number of blocks, segments and files that were skipped because they are damaged.
  private(set) var damaged = 0
  /// Why the log is currently not being recorded; `nil`: it is, or it was stopped.
  private var problem: LogProblem?

  init(
    _ session: CommandSession, log: String, from: GNSSTime? = nil, to: GNSSTime? = nil, key: OwnerKey? = nil,
    notes: (([TrackNote]) -> Void)? = nil, _ body: @escaping (TrackEntry) -> CommandStatus?
  ) {
    self.session = session
    self.log = log
    range = (from, to)
    opener = key.map { EncryptedTrackDecryptor(key: $0, from: from, to: to) }
    self.body = body
    (onNotes, self.key) = (notes, key)
  }

  /// Reads the whole log; returns `.done`, or the exit status of the failure.
  func execute() -> CommandStatus {
    let status = session.perform(onNotes == nil ? firstPage : notes(from: 0))
    if damagedNotes > 0 {
      Diagnostics.print(
        "\(damagedNotes) note\(damagedNotes == 1 ? " is damaged and was" : "s are damaged and were") left out.")
    }
    if damaged > 0 {
      Diagnostics.print(
        "\(damaged) block\(damaged == 1 ? " of the log is damaged and was" : "s of the log are damaged and were") left out: the track "
          + "has a gap there.")
    }
    if let problem {
      Diagnostics.print(
        "Log \(TerminalText.sanitized(log)) is not being recorded now (\(FailureMessage.clause(problem))): its last fixes are "
          + "missing.")
    }
    return status
  }

  private var firstPage: RequestStep {
    opener == nil
      ? page(.read(name: log, from: range.from, to: range.to))
      : sealedPage(.readSealed(name: log, from: range.from, to: range.to))
  }

  private func notes(from index: Int) -> RequestStep {
    .send(.logNotes(log, from: index)) { [unowned self] reply in
      damagedNotes += reply.damaged
      for stored in reply.notes {
        switch stored {
        case .open(let note): notes.append(note)
        case .sealed(let record):
          // Without the key, reading the track fails with the reason.
          guard let key else { continue }
          if let note = NoteRecord(record).note(key: key) { notes.append(note) } else { damagedNotes += 1 }
        }
      }
      if let next = reply.next, next > index { return notes(from: next) }
      onNotes?(
        notes.filter { note in
          !(range.from.map { note.time < $0 } ?? false) && !(range.to.map { note.time > $0 } ?? false)
        })
      return firstPage
    }
  }

  private func page(_ request: LogRequest) -> RequestStep {
    .send(.logPage(request)) { [unowned self] page in
      damaged = page.damaged
      problem = page.problem
      return process(page.entries) ?? page.next.map { self.page(.readOn($0)) } ?? .end(.done)
    }
  }

  /// Decrypts each page up to the first piece that cannot be decrypted.
  private func sealedPage(_ request: LogRequest) -> RequestStep {
    .send(.sealedLogPage(request)) { [unowned self] page in
      var entries: [TrackEntry] = []
      do throws(EncryptedTrackError) {
        for piece in page.pieces { entries += try opener?.decrypt(piece) ?? [] }
      } catch {
        return .end(Diagnostics.report(FailureMessage(error, log: log)))
      }
      damaged = opener.map { $0.damage.blocks + $0.damage.segments + $0.damage.files } ?? 0
      problem = page.problem
      return process(entries) ?? page.next.map { sealedPage(.readOn($0)) } ?? .end(.done)
    }
  }

  private func process(_ entries: [TrackEntry]) -> RequestStep? {
    for entry in entries {
      if let failure = body(entry) { return .end(failure) }
    }
    return nil
  }
}
