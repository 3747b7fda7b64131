import Geodesy
import LinuxIO
import LocationPolicy
import LocationdServer
import LocationdService
import Testing
import TestSupport

/// A real socket and real processes, with logins in the format of logind.
@Suite struct PresenceWatchTests {
  private let session = RecordedClient(path: RecordedClient.session).process
  private let program = RecordedClient(path: RecordedClient.terminal).process

  @Test func reportsWhatChanges() throws {
    let folder = try TemporaryFolder()
    try folder.write("sessions/3", "STATE=active\nCLASS=user\n")
    try folder.write("users/1000", "STATE=active\n")
    let bed = try WatchBed(folder.path)
    let client = try bed.client()
    #expect(try bed.watch.add(ClientID.process(1), session, bed.peer()) == .inUse)
    let other = try bed.client()
    #expect(try bed.watch.add(ClientID.process(2), program, bed.peer()) == .inUse)
    // Another user's login, and a login whose state is unchanged, cause no event.
    try folder.write("sessions/4", "STATE=active\nCLASS=user\n")
    try folder.write("sessions/3", "STATE=online\nCLASS=user\n")
    try folder.write("sessions/3", "STATE=closing\nCLASS=user\n")
    #expect(try bed.next() == [.changed(ClientID.process(1), .background)])
    try folder.write("users/1000", "STATE=lingering\n")
    #expect(try bed.next() == [.changed(ClientID.process(2), .background)])
    try folder.write("sessions/3", "STATE=active\nCLASS=user\n")
    #expect(try bed.next() == [.changed(ClientID.process(1), .inUse)])
    try folder.remove("sessions/3")
    #expect(try bed.next() == [.changed(ClientID.process(1), .background)])
    client.kill()
    #expect(try bed.next() == [.ended(ClientID.process(1))])
    bed.watch.remove(ClientID.process(2))
    other.kill()
    try folder.write("users/1000", "STATE=active\n")
    #expect(try bed.wakeupsWithoutCause() == 0)
  }

  @Test func sleepsWhileNothingChanges() throws {
    let folder = try TemporaryFolder()
    try folder.write("sessions/3", "STATE=active\nCLASS=user\n")
    let bed = try WatchBed(folder.path)
    let client = try bed.client()
    #expect(try bed.watch.add(ClientID.process(1), session, bed.peer()) == .inUse)
    // A folder that does not exist is not watched: here that of the users.
    #expect(try bed.wakeupsWithoutCause() == 0)
    client.endInput()
  }

  /// The watched folders stay open while there is no client, and may be replaced during that time.
  @Test func watchesAgainForTheNextClient() throws {
    let folder = try TemporaryFolder()
    try folder.write("sessions/3", "STATE=active\nCLASS=user\n")
    let bed = try WatchBed(folder.path)
    let first = try bed.client()
    #expect(try bed.watch.add(.process(1), session, bed.peer()) == .inUse)
    bed.watch.remove(.process(1))
    try folder.write("sessions/3", "STATE=closing\nCLASS=user\n")
    #expect(try bed.wakeupsWithoutCause() == 0)
    let second = try bed.client()
    #expect(try bed.watch.add(.process(2), session, bed.peer()) == .background)
    #expect(try bed.wakeupsWithoutCause() == 0)
    try folder.write("sessions/3", "STATE=active\nCLASS=user\n")
    #expect(try bed.next() == [.changed(.process(2), .inUse)])
    bed.watch.remove(.process(2))
    try folder.remove("sessions")
    try folder.write("sessions/3", "STATE=active\nCLASS=user\n")
    let third = try bed.client()
    #expect(try bed.watch.add(.process(3), session, bed.peer()) == .inUse)
    try folder.write("sessions/3", "STATE=closing\nCLASS=user\n")
    #expect(try bed.next() == [.changed(.process(3), .background)])
    for client in [first, second, third] { client.endInput() }
  }

  @Test func goesOnWithoutLogind() throws {
    let folder = try TemporaryFolder()
    let bed = try WatchBed(folder.path)
    let client = try bed.client()
    #expect(try bed.watch.add(ClientID.process(1), session, bed.peer()) == .inUse)
    // The folder was created, and the session of the next client is watched.
    try folder.write("sessions/3", "STATE=active\nCLASS=user\n")
    let other = try bed.client()
    #expect(try bed.watch.add(ClientID.process(2), session, bed.peer()) == .inUse)
    try folder.write("sessions/3", "STATE=closing\nCLASS=user\n")
    #expect(try bed.next() == [.changed(ClientID.process(1), .background), .changed(ClientID.process(2), .background)])
    // The folder was removed: only this event shows the end of the remaining sessions.
    try folder.remove("sessions")
    #expect(try bed.next() == [.changed(ClientID.process(1), .inUse), .changed(ClientID.process(2), .inUse)])
    client.endInput()
    other.endInput()
  }
}

/// A loop with a watch, and the clients of a socket.
private final class WatchBed {
  let watch: PresenceWatch
  private let loop: EventLoop
  private let received: Received
  private let folder: TemporaryFolder
  private let listener: UnixListener

  private final class Received { var events: [PresenceWatch.Event] = [] }

  init(_ logins: String) throws {
    let (loop, received) = (try EventLoop(), Received())
    self.loop = loop
    self.received = received
    folder = try TemporaryFolder()
    listener = try UnixListener(at: folder.path + "/socket", UnixListener.Access(mode: 0o600))
    watch = PresenceWatch(loop, in: SystemFolders(logins: logins)) {
      received.events.append($0)
      loop.stop()
    }
  }

  func client() throws -> HelperProcess {
    try HelperProcess("peer-bed", ["client", folder.path + "/socket"], environment: [:])
  }

  /// The peer of the next client that connects.
  func peer() throws -> ConnectedPeer {
    let fd = listener.descriptor
    let id = try loop.watch(fd) { [loop] _ in loop.stop() }
    try run()
    loop.unwatch(id)
    guard let stream = try listener.accept() else { throw SystemError(operation: "accept", errno: 0) }
    do throws(PeerError) {
      return try ConnectedPeer(stream)
    } catch {
      throw error
    }
  }

  /// The next events, all those of one turn.
  func next() throws -> [PresenceWatch.Event] {
    received.events = []
    try run()
    return received.events
  }

  /// How often the loop woke in a twentieth of a second in which nothing happened.
  func wakeupsWithoutCause() throws -> Int {
    received.events = []
    let before = loop.wakeups
    loop.schedule(at: MonotonicClock.now() + .milliseconds(50)) { [loop] in loop.stop() }
    try loop.run()
    #expect(received.events == [])
    return loop.wakeups - before - 1
  }

  private func run() throws {
    let limit = loop.schedule(at: MonotonicClock.now() + .seconds(30)) { [loop] in
      Issue.record("nothing came")
      loop.stop()
    }
    try loop.run()
    loop.cancel(limit)
  }
}
