import Foundation
import TestSupport
import Testing

/// Users without any permission who try to deny the service to others: root is served nevertheless.
@Suite(
  .serialized, .enabled(if: OtherUserRun.isPossible, "needs root, to be another user, and programs that it can run"))
struct HostileUserTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  private func serveRoot(_ comment: Comment? = nil) throws {
    let fix = try CommandRun.run("fix", "--timeout", "20", at: place)
    #expect(fix.status == 0, "\(comment ?? "") \(fix.errors)")
  }

  /// F1: a user who cannot open the receiver cannot lock others out of it, even with a lock file created beforehand.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/flock"), "needs flock(1)"))
  func otherUsersCannotTakeThePortLock() throws {
    let receiver = try HelperProcess("simulated-ublox", ["ublox8", "hot"], environment: [:])
    let path = String(decoding: try #require(receiver.next()), as: UTF8.self)
    var status = stat()
    try #require(unsafe stat(path, &status) == 0)
    let lock = "/run/lock/locationd-char-\(status.st_rdev >> 8 & 0xFFF)-\(status.st_rdev & 0xFF).lock"
    _ = unsafe unlink(lock)
    let attacker = Process()
    attacker.executableURL = URL(fileURLWithPath: OtherUserRun.identity[0])
    let held = Pipe()
    attacker.arguments =
      OtherUserRun.identity.dropFirst() + [
        "/bin/sh", "-c", "umask 0; exec 9>>$0; flock -n 9 || exit 1; echo held; exec sleep 600", lock,
      ]
    attacker.standardOutput = held
    try attacker.run()
    defer {
      attacker.terminate()
      _ = unsafe unlink(lock)
    }
    #expect(try held.fileHandleForReading.read(upToCount: 5) == Data("held\n".utf8))
    let source = ["fix", "--source", "serial:\(path)", "--timeout", "20"]
    let fix = try CommandRun(source, at: place).finish()
    #expect(fix.status == 0, "\(fix.errors)")
    // The lock file that exists now gives no access to others.
    try #require(unsafe stat(lock, &status) == 0)
    #expect(status.st_mode & 0o007 == 0 && status.st_uid == geteuid())
  }

  /// F2: a connection is reserved for root, however many connections other users hold; the reached limit appears in the
  /// journal, in `status` and in `doctor`.
  @Test func connectionsOfOthersLeaveRoomForRoot() throws {
    let daemon = try RunningDaemon.listening(at: place)
    var others: [HostileClientRun] = []
    for user in HostileClientRun.users.prefix(4) {
      others.append(try HostileClientRun("silent", connections: 64, user: user, at: place))
    }
    try serveRoot()
    try daemon.awaitLine("the service already had 96 clients of users without access")
    let status = try #require(try CommandRun.run("status", "--json", at: place).objects.first)
    let bounds = try #require(status["bounds"] as? [[String: Any]])
    #expect(Set(bounds.compactMap { $0["bound"] as? String }).isSuperset(of: ["clientsWithoutGrant"]))
    let doctor = try CommandRun.run("doctor", "--duration", "5", at: place)
    #expect(doctor.objects.contains { $0["finding"] as? String == "service-bound-reached" }, "\(doctor.text)")
    withExtendedLifetime(others) {}
  }

  /// F3: the requests of one granted user have a limit, and root's requests are accepted even if other users have as
  /// many as they may.
  @Test func requestsOfOthersLeaveRoomForRoot() throws {
    let daemon = try RunningDaemon.listening(at: place)
    let users = Array(HostileClientRun.users.prefix(2))
    for user in users { #expect(try CommandRun.run("grant", "\(user)", "--always", at: place).status == 0) }
    let updates = try HostileClientRun("updates", connections: 64, user: users[0], at: place)
    let fixes = try HostileClientRun("fixes", connections: 64, user: users[1], at: place)
    try serveRoot()
    try daemon.awaitLine("who had 256 open requests")
    let outcome = updates.end()
    #expect(outcome["failed"] ?? 0 > 0, "\(outcome)")
    withExtendedLifetime(fixes) {}
  }

  /// F4: the regions of a user for whom nothing was decided may take little room.
  @Test func regionsOfAnUndecidedUserAreFew() throws {
    let daemon = try RunningDaemon.listening(at: place)
    let user = HostileClientRun.users.lowerBound
    let flood = try HostileClientRun("regions", connections: 4, user: user, at: place)
    try daemon.awaitLine("whose regions already took 262144 bytes")
    try serveRoot()
    let outcome = flood.end()
    #expect((1...260).contains(outcome["served"] ?? 0), "\(outcome)")
    // A user with a grant may have more.
    #expect(try CommandRun.run("grant", "\(user)", "--always", at: place).status == 0)
    let more = try HostileClientRun("regions", connections: 1, user: user, at: place)
    #expect(more.begin["served"] ?? 0 > 0, "\(more.begin)")
  }

  /// F7: a user without access sees neither the satellites that the receivers observe nor their serial numbers.
  @Test func theStatusOfOthersShowsNoSky() throws {
    let daemon = try RunningDaemon.listening(at: place)
    let watch = try CommandRun(["watch"], at: place)
    try daemon.awaitLine("is open")
    let run = try OtherUserRun.run(["status", "--json"], environment: place.environment)
    let status = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any], "\(run.errors)")
    #expect(status["plan"] == nil && status["lastFixAge"] == nil && status["wifi"] == nil)
    let devices = try #require(status["devices"] as? [[String: Any]])
    #expect(!devices.isEmpty && devices.allSatisfy { ["open", "closed"].contains($0["state"] as? String) })
    // Root sees everything.
    let own = try #require(try CommandRun.run("status", "--json", at: place).objects.first)
    #expect(own["plan"] != nil)
    withExtendedLifetime((daemon, watch)) {}
  }

  /// F8: clients that connect and disconnect do not get a line each.
  @Test func unknownClientsDoNotFillTheJournal() throws {
    place.debugging = ""
    let daemon = try RunningDaemon.listening(at: place)
    for _ in 0..<300 { _ = try RawClient.greeted(place, name: String(repeating: "x", count: 150)) }
    for _ in 0..<20 {
      let client = try RawClient.greeted(place)
      client.send([0, 0, 0, 1, 0])
      while try client.next() != nil {}
    }
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    #expect(daemon.rest().count < 20)
  }

  /// F1 to F4 at the same time, by 200 clients, for 100 s: root is always served. `make bench` measures the latency.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["LOCATION_SOAK"] == "1", "long: LOCATION_SOAK=1"))
  func rootIsServedBesideTwoHundredHostileClients() throws {
    let daemon = try RunningDaemon.listening(at: place)
    let users = Array(HostileClientRun.users)
    for user in users[0..<3] { #expect(try CommandRun.run("grant", "\(user)", "--always", at: place).status == 0) }
    let kinds = ["updates", "churn", "fixes", "silent", "mute", "regions", "connects"]
    let attacks = try kinds.enumerated().map { index, kind in
      try HostileClientRun(kind, connections: 29, user: users[index], at: place)
    }
    let end = Date(timeIntervalSinceNow: 100)
    var times = 0
    while Date() < end {
      let fix = try CommandRun.run("fix", "--timeout", "10", at: place)
      #expect(fix.status == 0, "\(fix.errors)")
      times += 1
    }
    #expect(times > 5)
    withExtendedLifetime((daemon, attacks)) {}
  }
}
