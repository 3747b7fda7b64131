import Foundation
import Geodesy
import LocationDatabase
import LocationPolicy
import LocationStore
import TestSupport
import Testing

@Suite struct LogIndexTests {
  private let now = GNSSTime(nanosecondsSince1970: 1_795_000_000_000_000_000)

  private var configuration: LogConfiguration {
    var configuration = LogConfiguration()
    configuration.options.distanceFilter = Meters(12.5)
    configuration.options.interval = .milliseconds(2500)
    configuration.options.desiredRadius68 = Meters(30)
    configuration.options.keepsSuspects = true
    configuration.options.retention = .days(30)
    configuration.owner = LogOwner(ClientIdentity(userID: 1001, realm: .flatpak("org.gnome.Maps")), isEntitled: true)
    return configuration
  }

  @Test func logsAreKeptByName() throws {
    let place = try TemporaryFolder()
    let state = place.path + "/state"
    var walk: IndexedLog
    do {
      let index = try LogIndex(stateFolder: state)
      #expect(try index.logs().isEmpty)
      walk = try index.start("walk", configuration, at: now)
      #expect(walk.configuration == configuration && walk.isRunning && walk.changedAt == now)
      let hostile = "Robert'); DROP TABLE logs;--"
      _ = try index.start(hostile, LogConfiguration(), at: now)
      #expect(try index.stop(hostile, at: now + .seconds(1)) == true)
      #expect(try index.stop("nobody", at: now) == false)
    }
    // The machine is restarted: the next process knows which logs to continue.
    let index = try LogIndex(stateFolder: state)
    #expect(index.setAside == nil)
    #expect(try index.logs().map(\.name) == ["Robert'); DROP TABLE logs;--", "walk"])
    #expect(try index.logs().filter(\.isRunning) == [walk])
    // Another configuration of the same log.
    walk.configuration.options.retention = .megabytes(7)
    walk.configuration.options.distanceFilter = nil
    #expect(try index.start("walk", walk.configuration, at: now) == walk)
    #expect(try index.log(named: "walk") == walk)
    #expect(try index.log(named: "run") == nil)
    for path in [state, state + "/index.sqlite"] { #expect(mode(path) & 0o077 == 0) }
    for file in try FileManager.default.contentsOfDirectory(atPath: state) {
      #expect(mode(state + "/" + file) & 0o077 == 0, "\(file)")
    }
  }

  @Test func numberOfARemovedLogIsNotGivenAgain() throws {
    let place = try TemporaryFolder()
    let index = try LogIndex(stateFolder: place.path)
    let first = try index.start("a", LogConfiguration(), at: now)
    try write(5, to: index.folder(of: first))
    try index.remove(first)
    #expect(try index.logs().isEmpty)
    let second = try index.start("a", LogConfiguration(), at: now)
    #expect(second.id != first.id)
    #expect(try read(index.folder(of: second)).entries.isEmpty)
  }

  @Test(arguments: ["", "a\nb", "\u{7F}", String(repeating: "ä", count: 33)])
  func namesAreChecked(name: String) throws {
    let place = try TemporaryFolder()
    let index = try LogIndex(stateFolder: place.path)
    #expect(throws: DatabaseError.self) { _ = try index.start(name, LogConfiguration(), at: now) }
    #expect(try index.logs().isEmpty)
  }

  @Test func damagedIndexIsSetAsideAndItsTracksAreLogsAgain() throws {
    let place = try TemporaryFolder()
    let path = place.path + "/index.sqlite"
    do {
      let index = try LogIndex(stateFolder: place.path)
      for name in ["a", "b", "test"] {
        try write(5, to: index.folder(of: try index.start(name, configuration, at: now)))
        if name != "a" { _ = try index.stop(name, at: now) }
      }
    }
    let garbage = Data("SQLite format 3, or what is left of it".utf8) + Data(count: 4000)
    try garbage.write(to: URL(fileURLWithPath: path))
    let index = try LogIndex(stateFolder: place.path)
    #expect(index.setAside == path + ".damaged-1")
    #expect(try bytes(of: path + ".damaged-1") == [UInt8](garbage))
    // All tracks were written under one name, and are not mixed. Logs that were recording continue, stopped ones do not.
    let logs = try index.logs()
    #expect(logs == index.adopted.sorted { $0.name < $1.name })
    #expect(logs.map(\.name) == ["a", "recovered-3", "test"])
    #expect(logs.map(\.isRunning) == [true, false, false])
    #expect(logs.map(\.configuration) == [configuration, LogConfiguration(), LogConfiguration()])
    for log in logs { #expect(try read(index.folder(of: log)).entries.count == 6) }
    #expect(try index.start("new", LogConfiguration(), at: now).id == 4)
  }

  @Test func anIndexThatLostItsLastChangesGoesByTheNotes() throws {
    let place = try TemporaryFolder()
    do {
      let index = try LogIndex(stateFolder: place.path)
      for name in ["never", "again"] {
        try write(5, to: index.folder(of: try index.start(name, LogConfiguration(), at: now)))
        _ = try index.stop(name, at: now)
      }
    }
    let before = try bytes(of: place.path + "/index.sqlite")
    do { _ = try LogIndex(stateFolder: place.path).start("again", configuration, at: now) }
    try Data(before).write(to: URL(fileURLWithPath: place.path + "/index.sqlite"))
    let index = try LogIndex(stateFolder: place.path)
    #expect(index.adopted.map(\.name) == ["again"])
    #expect(try index.logs().map(\.isRunning) == [true, false])
    #expect(try index.log(named: "again")?.configuration == configuration)
    // A damaged note is ignored.
    _ = try index.stop("again", at: now)
    let path = try index.folder(of: #require(try index.log(named: "again"))).path + "/recorded"
    try Data("name again\ndays 1\nchecksum 0\n".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try LogIndex(stateFolder: place.path).adopted.isEmpty)
  }

  @Test func foldersOfAnyNumberAndNamesThatAreTakenAreNoObstacle() throws {
    let place = try TemporaryFolder()
    do {
      let index = try LogIndex(stateFolder: place.path)
      _ = try index.start("recovered-7", LogConfiguration(), at: now)
    }
    let tracks = place.path + "/tracks"
    for number in ["7", "9223372036854775807", "007", "-3"] { try write(5, to: TrackFolder("\(tracks)/\(number)")) }
    let track = TrackFolder(tracks + "/7").path(of: 1)
    try Data(bytes(of: track).map { ~$0 }).write(to: URL(fileURLWithPath: track))
    let index = try LogIndex(stateFolder: place.path)
    #expect(index.adopted.map(\.name) == ["recovered-7-2"])
    #expect(try index.start("next", LogConfiguration(), at: now).id == 8)
  }

  @Test func anyByteOfTheIndexMayBeDamaged() throws {
    let place = try TemporaryFolder()
    let path = place.path + "/index.sqlite"
    do {
      let index = try LogIndex(stateFolder: place.path)
      for number in 0..<20 { _ = try index.start("log \(number)", configuration, at: now) }
    }
    let whole = try bytes(of: path)
    var random = SplitMix64(seed: 4)
    for _ in 0..<150 {
      var damaged = whole
      for _ in 0..<20 { damaged[.random(in: 0..<whole.count, using: &random)] = .random(in: 0...255, using: &random) }
      try? FileManager.default.removeItem(atPath: path + "-wal")
      try? FileManager.default.removeItem(atPath: path + "-shm")
      try Data(damaged).write(to: URL(fileURLWithPath: path))
      // The index opens, or is set aside, or reports its damage; it never ends the process.
      do throws(DatabaseError) {
        let index = try LogIndex(stateFolder: place.path)
        _ = try index.logs()
      } catch {
        #expect(!error.isDamage || error != .noRow(statement: ""), "\(error)")
      }
    }
  }

  @Test func laterSchemaIsLeftAlone() throws {
    let later = [
      "CREATE TABLE a (b)", "CREATE TABLE c (d)", "CREATE TABLE e (f)", "CREATE TABLE g (h)", "CREATE TABLE i (j)",
    ]
    let place = try TemporaryFolder()
    let path = place.path + "/index.sqlite"
    do {
      let database = try Database(path: path, migrations: later)
      try database.run("INSERT INTO c VALUES (?)", [.text("kept")])
    }
    #expect(throws: DatabaseError.otherSchema(found: 5, supported: 4)) { _ = try LogIndex(stateFolder: place.path) }
    let database = try Database(path: path, migrations: later)
    var statement = try database.prepare("SELECT d FROM c")
    _ = try statement.step()
    #expect(try statement.text(0) == "kept")
  }
}
