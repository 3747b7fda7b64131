import Geodesy
import Glibc
import LinuxIO
import Testing
import TestSupport

/// Real processes connected to a real socket.
@Suite struct ConnectedPeerTests {
  private static let isRoot = geteuid() == 0
  static let needsRoot: Comment = "only root can be another user"

  @Test(arguments: ConnectedPeer.Hold.allCases) func knowsThisProcess(_ best: ConnectedPeer.Hold) throws {
    let socket = try PeerSocket()
    let client = try socket.connect()
    let peer = try ConnectedPeer(socket.accept(), best: best)
    let (hold, hasEnded, flags) = (peer.hold, peer.hasEnded, fcntl(peer.descriptor, F_GETFD))
    if best == .byNumber { #expect(hold == .byNumber) }
    #expect(!hasEnded)
    #expect(flags & FD_CLOEXEC != 0)
    let process = try peer.identify()
    #expect(process.credentials == PeerCredentials(processID: getpid(), userID: geteuid(), groupID: getegid()))
    var groups = [gid_t](repeating: 0, count: 65_536)
    let count = unsafe getgroups(Int32(groups.count), &groups)
    #expect(process.groups.sorted() == groups.prefix(Int(count)).sorted())
    let recorded = try #require(try StateFile.read("/proc/self/cgroup", maximumSize: 1 << 16))
    #expect(process.controlGroup == ControlGroup(recorded))
    #expect(!process.hasOwnNamespaces)
    _ = client.descriptor
  }

  @Test(arguments: ConnectedPeer.Hold.allCases) func aProcessThatHasEndedIsUnknown(_ best: ConnectedPeer.Hold) throws {
    let socket = try PeerSocket()
    let client = try socket.client()
    let stream = try socket.accept()
    let peer = try ConnectedPeer(stream, best: best)
    let process = try peer.identify()
    #expect(process.credentials.userID == geteuid())
    client.kill()
    #expect(waitReadable(peer.descriptor))
    #expect(throws: PeerError.ended) { try peer.identify() }
  }

  @Test(arguments: ConnectedPeer.Hold.allCases) func aProcessThatEndedBeforeIsUnknown(_ best: ConnectedPeer.Hold) throws
  {
    let socket = try PeerSocket()
    let client = try socket.client("quit")
    while client.next() != nil {}
    let stream = try socket.accept()
    // The process has ended, and it does not matter whether it was waited for: its output ends a moment before the process.
    if let number = stream.peer?.processID { Self.awaitEnd(of: number) }
    #expect(throws: PeerError.ended) { _ = try ConnectedPeer(stream, best: best).identify() }
  }

  // MARK: Processes that another program names

  @Test func aNamedProcessIsKnownByItsNumberAndStart() throws {
    let own = PeerCredentials(processID: getpid(), userID: geteuid(), groupID: getegid())
    let start = try ProcessRecord.read(getpid(), of: geteuid()).startTicks
    #expect(try ConnectedPeer(named: own, startTicks: start).identify().credentials == own)
    // A process that started later has the number of the named one.
    #expect(throws: PeerError.startedLater) {
      _ = try ConnectedPeer(named: own, startTicks: start - 1).identify()
    }
    let other = PeerCredentials(processID: getpid(), userID: geteuid() + 1, groupID: getegid())
    #expect(throws: PeerError.userChanged(connected: geteuid() + 1, now: geteuid())) {
      _ = try ConnectedPeer(named: other, startTicks: start).identify()
    }
    #expect(throws: PeerError.userChanged(connected: geteuid() + 1, now: geteuid())) {
      _ = try ProcessRecord.read(getpid(), of: geteuid() + 1)
    }
  }

  @Test func aNamedProcessThatHasEndedIsUnknown() throws {
    let socket = try PeerSocket()
    let client = try socket.client("quit")
    while client.next() != nil {}
    let number = try #require(try socket.accept().peer?.processID)
    Self.awaitEnd(of: number)
    let credentials = PeerCredentials(processID: number, userID: geteuid(), groupID: getegid())
    #expect(throws: PeerError.ended) { _ = try ConnectedPeer(named: credentials, startTicks: .max).identify() }
  }

  private static func awaitEnd(of process: Int32) {
    for _ in 0..<10_000_000 where kill(process, 0) == 0 { sched_yield() }
  }

  @Test(.enabled(if: isRoot, needsRoot)) func knowsAnotherUser() throws {
    let socket = try PeerSocket()
    let groups = (1...100).map { $0 + 30_000 }
    let client = try socket.client(
      "user=1234", "group=2345", "groups=\(groups.map(String.init).joined(separator: ","))", "name=) R 1 (\n1")
    let process = try ConnectedPeer(socket.accept()).identify()
    #expect(process.credentials.userID == 1234)
    #expect(process.credentials.groupID == 2345)
    // More groups than the first call has room for.
    #expect(process.groups == groups.map { UInt32($0) })
    #expect(!process.hasOwnNamespaces)
    client.endInput()
  }

  @Test(.enabled(if: isRoot, needsRoot)) func aProcessThatChangedIdentityIsUnknown() throws {
    let socket = try PeerSocket()
    let client = try socket.client("then=1234")
    let peer = try ConnectedPeer(socket.accept())
    let number = peer.credentials.processID
    #expect(client.next().map { String(decoding: $0, as: UTF8.self) } == "connected \(number)")
    #expect(throws: PeerError.userChanged(connected: 0, now: 1234)) { try peer.identify() }
  }

  @Test(
    .enabled(if: isRoot, needsRoot), arguments: [["own=users"], ["own=processes"], ["own=users", "own=processes"]])
  func tellsNamespaces(_ own: [String]) throws {
    for user in [0, 1234] as [UInt32] {
      let socket = try PeerSocket()
      let words = ["client", socket.path, "user=\(user)"] + own
      let client = try HelperProcess("peer-bed", words, environment: [:])
      let process = try ConnectedPeer(socket.accept()).identify()
      // The process sees itself as root and as process 1.
      #expect(process.credentials.userID == user)
      #expect(process.hasOwnNamespaces)
      if own.contains("own=processes") {
        #expect(client.next().map { String(decoding: $0, as: UTF8.self) } == "connected 1")
      }
      client.endInput()
    }
  }

  /// Like `locationd`: the relevant files in `/proc` are readable for everybody.
  @Test(.enabled(if: isRoot, needsRoot)) func isKnownToAServiceThatIsNotRoot() throws {
    let folder = try TemporaryFolder()
    #expect(unsafe chmod(folder.path, 0o755) == 0)
    let path = folder.path + "/socket"
    let service = try HelperProcess("peer-bed", ["service", path, "1234"], environment: [:])
    func line() -> String? { service.next().map { String(decoding: $0, as: UTF8.self) } }
    #expect(line() == "listening")
    for (words, said) in [
      (["user=0"], "user 0 own false"), (["user=2345"], "user 2345 own false"), (["user=1234"], "user 1234 own false"),
      (["user=2345", "own=users"], "user 2345 own true"), (["own=processes"], "user 0 own true"),
    ] {
      let client = try HelperProcess("peer-bed", ["client", path] + words, environment: [:])
      #expect(line() == said)
      client.endInput()
    }
    service.kill()
  }

  // MARK: Recorded files

  private func recorded(
    _ folder: borrowing TemporaryFolder, start: String = "1", user: UInt32 = geteuid(), map: String? = nil,
    without file: String? = nil
  ) throws -> SystemFolders {
    let own = "\(folder.path)/\(getpid())"
    let stat = "1 (x) S 1 1 1 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 \(start) 1 1\n"
    for (name, text) in [
      ("stat", stat), ("status", "Uid:\t1\t\(user)\t1\t1\nNSpid:\t5\n"), ("cgroup", "0::/system.slice/a.service\n"),
      ("uid_map", map ?? "same"),
    ] where name != file { try StateFile.write("\(own)/\(name)", Array(text.utf8)) }
    try StateFile.write("\(folder.path)/self/uid_map", Array("same".utf8))
    return SystemFolders(processes: folder.path)
  }

  @Test func readsTheGivenFolder() throws {
    let socket = try PeerSocket()
    let client = try socket.connect()
    let peer = try ConnectedPeer(socket.accept())
    func identify(_ change: (borrowing TemporaryFolder) throws -> SystemFolders) throws -> PeerProcess {
      let folder = try TemporaryFolder()
      return try peer.identify(in: try change(folder))
    }
    let process = try identify { try recorded($0) }
    #expect(process.controlGroup == ControlGroup(.service("a.service")))
    #expect(!process.hasOwnNamespaces)
    #expect(try identify { try recorded($0, map: "0 1000 1\n") }.hasOwnNamespaces)
    #expect(throws: PeerError.startedLater) { try identify { try recorded($0, start: "\(Int64.max)") } }
    #expect(throws: PeerError.unreadable(file: "stat")) { try identify { try recorded($0, start: "x") } }
    #expect(throws: PeerError.userChanged(connected: geteuid(), now: 77)) {
      try identify { try recorded($0, user: 77) }
    }
    for file in ["stat", "status", "cgroup"] {
      #expect(throws: PeerError.ended) { try identify { try recorded($0, without: file) } }
    }
    #expect(try identify { try recorded($0, without: "uid_map") }.hasOwnNamespaces)
    #expect(throws: PeerError.ended) { try identify { SystemFolders(processes: $0.path) } }
    _ = client.descriptor
  }

  /// A clock tick is 10 ms: a process may be as old as its connection.
  @Test func takesOneThatConnectsAtItsStart() throws {
    let socket = try PeerSocket()
    let client = try socket.connect()
    let folder = try TemporaryFolder()
    let now = MonotonicClock.now().nanoseconds / 10_000_000
    let folders = try recorded(folder, start: "\(now)")
    let process = try ConnectedPeer(socket.accept()).identify(in: folders)
    #expect(process.credentials.processID == getpid())
    _ = client.descriptor
  }
}
