import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore
import LocationdRecords
import LocationdService
import TestSupport

/// Logs in a state folder, with one command per line; several services may use one folder, one after another or at the
/// same time.
final class LogServiceBed {
  /// A state folder, deleted with the last service that uses it.
  final class Folder {
    let path = FileManager.default.temporaryDirectory.path + "/keeper-" + UUID().uuidString
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  let folder: Folder
  private(set) var events: [LogServiceEvent] = []
  private let records: Bool
  private let clock: GNSSTime?
  private var answers: [ServiceEvent] = []
  private var accounted: [LogDescription]?
  /// The logs that are being recorded.
  private var recorded: Set<ClientID> = []
  private var present = Instant(nanoseconds: 0)

  private lazy var service = LogService(
    stateFolder: folder.path, records: records, at: present, clock: { [clock] in clock },
    report: { [unowned self] in receive($0) })

  init(_ folder: Folder = Folder(), records: Bool = true, clock: GNSSTime? = nil) {
    self.folder = folder
    self.records = records
    self.clock = clock
  }

  /// The service starts.
  func begin() { handle(.begin) }

  /// A half minute passes.
  func wait() {
    present = present + .seconds(31)
    service.wake(at: present)
  }

  private func handle(_ order: LogOrder) { service.handle(order, at: present) }

  private func receive(_ report: LogReport) {
    switch report {
    case .ask(_, let log, _): recorded.insert(log)
    case .left(let log): recorded.remove(log)
    case .answer(let event, _): answers.append(event)
    case .event(let event): events.append(event)
    case .account(let logs): accounted = logs
    case .ended: break
    }
  }

  /// The answer to a request. `user`: the user of the client; `nil`: the process itself.
  func ask(
    _ request: LogRequest, as requester: ClientIdentity? = nil, from client: ClientID = .process(1)
  ) -> ServiceEvent? {
    handle(.request(request, RequestID(1), from: client, of: requester.map { LogOwner($0) }))
    return answers.popLast()
  }

  /// A client disconnects.
  func leave(_ client: ClientID) { handle(.left(client)) }

  /// The answer that has come since the last one was taken; `nil`: none.
  func takeAnswer() -> ServiceEvent? { answers.popLast() }

  /// The fixes of a drive, as every log receives them.
  ///
  /// - Parameter change: changes a fix.
  func drive(_ fixes: Range<Int>, _ change: (inout PositionFix) -> Void = { _ in }) {
    for number in fixes {
      var fix = LoggedDrive.fix(number)
      present = max(present, fix.receivedAt)
      change(&fix)
      for log in recorded { handle(.event(.update(RequestID(1), fix, age: .zero), for: log)) }
    }
  }

  /// The owner of the logs loses access to the location, or has it again.
  func change(_ change: StreamChange) {
    for log in recorded { handle(.event(.streamChanged(RequestID(1), change), for: log)) }
  }

  /// The service ends.
  func end() { handle(.end) }

  /// The logs as the status report has them.
  var account: [LogDescription]? {
    accounted = nil
    handle(.describe)
    return accounted
  }

  /// The list of the logs.
  var logs: [LogDescription] {
    guard case .log(_, .logs(let logs))? = ask(.list) else { return [] }
    return logs
  }

  /// The number of fixes that are read from a log, and the problem that is reported with them.
  func read(_ name: String) -> (fixes: Int, problem: LogProblem?) {
    guard case .log(_, .page(let page))? = ask(.read(name: name, from: nil, to: nil)) else { return (-1, nil) }
    let fixes = page.entries.count { if case .fix = $0 { true } else { false } }
    return (fixes, page.problem)
  }

  /// The number of fixes of an encrypted log that its owner decrypts, page by page.
  func open(_ name: String, _ key: OwnerKey) throws -> Int {
    var opener = EncryptedTrackDecryptor(key: key)
    var (fixes, request) = (0, LogRequest.readSealed(name: name, from: nil, to: nil))
    while case .log(_, .sealed(let page))? = ask(request) {
      for piece in page.pieces {
        fixes += try opener.decrypt(piece).count { if case .fix = $0 { true } else { false } }
      }
      guard let next = page.next else { return fixes }
      request = .readOn(next)
    }
    return -1
  }

  /// The files in the state folder.
  var files: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() } }

  /// Removes one of these files.
  func remove(_ file: String) throws { try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)") }

  /// Removes the folder of a log, like a person who makes room on the disk.
  func removeTracks(_ number: Int) throws {
    try FileManager.default.removeItem(atPath: "\(folder.path)/tracks/\(number)")
  }
}
