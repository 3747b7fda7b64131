import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore
import LocationdRecords
import LocationdService
import TestSupport

/// A keeper of logs in a state folder, asked and told line by line; several may follow each other in one folder, or share it.
final class KeeperBed {
  /// A state folder that goes with its last keeper.
  final class Folder {
    let path = FileManager.default.temporaryDirectory.path + "/keeper-" + UUID().uuidString
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  let folder: Folder
  private(set) var news: [LogNews] = []
  private let records: Bool
  private let clock: GNSSTime?
  private var answers: [ServiceEvent] = []
  private var hearers: [ClientID: (ServiceEvent) -> Void] = [:]
  private var number = 0
  private var present = Instant(nanoseconds: 0)

  private lazy var keeper: LogKeeper = {
    let keeper = LogKeeper(
      stateFolder: folder.path, records: records,
      LogKeeper.Surroundings(
        now: { [unowned self] in present },
        connect: { [unowned self] hear in
          number += 1
          hearers[ClientID.log(number)] = hear
          return ClientID.log(number)
        },
        send: { _, _, _ in }, leave: { [unowned self] in hearers[$0] = nil },
        tell: { [unowned self] in answers.append($1) }, clock: { [clock] in clock }))
    keeper.onNews = { [unowned self] in news.append($0) }
    return keeper
  }()

  init(_ folder: Folder = Folder(), records: Bool = true, clock: GNSSTime? = nil) {
    self.folder = folder
    self.records = records
    self.clock = clock
  }

  /// The service begins.
  func begin() { keeper.begin() }

  /// The answer to a request. `user`: of that user's client; `nil`: of the process itself.
  func ask(_ request: LogRequest, as asker: ClientIdentity? = nil) -> ServiceEvent? {
    keeper.handle(request, RequestID(1), from: ClientID.process(1), of: asker.map { LogOwner($0) })
    return answers.popLast()
  }

  /// The fixes of a drive, as every log hears them.
  func drive(_ fixes: Range<Int>) {
    for number in fixes {
      let fix = LoggedDrive.fix(number)
      present = max(present, fix.receivedAt)
      for hear in hearers.values { hear(.update(RequestID(1), fix, age: .zero)) }
    }
  }

  /// The owner of the logs may not know where the machine is, or may again.
  func change(_ change: StreamChange) { for hear in hearers.values { hear(.streamChanged(RequestID(1), change)) } }

  /// The service ends.
  func end() { keeper.end() }

  /// The logs as they are listed.
  var logs: [LogDescription] {
    guard case .log(_, .logs(let logs))? = ask(.list) else { return [] }
    return logs
  }

  /// The fixes that are read of a log, and what is said beside them.
  func read(_ name: String) -> (fixes: Int, problem: LogProblem?) {
    guard case .log(_, .page(let page))? = ask(.read(name: name, from: nil, to: nil)) else { return (-1, nil) }
    let fixes = page.entries.count { if case .fix = $0 { true } else { false } }
    return (fixes, page.problem)
  }

  /// The fixes of a sealed log, as its owner opens them, page by page.
  func open(_ name: String, _ key: OwnerKey) throws -> Int {
    var opener = SealedTrackOpener(key: key)
    var (fixes, request) = (0, LogRequest.readSealed(name: name, from: nil, to: nil))
    while case .log(_, .sealed(let page))? = ask(request) {
      for piece in page.pieces {
        fixes += try opener.take(piece).count { if case .fix = $0 { true } else { false } }
      }
      guard let next = page.next else { return fixes }
      request = .readOn(next)
    }
    return -1
  }

  /// What lies in the state folder.
  var files: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() } }

  /// Removes one of these.
  func remove(_ file: String) throws { try FileManager.default.removeItem(atPath: "\(folder.path)/\(file)") }

  /// Removes the folder of a log, as somebody may who makes room.
  func removeTracks(_ number: Int) throws {
    try FileManager.default.removeItem(atPath: "\(folder.path)/tracks/\(number)")
  }
}
