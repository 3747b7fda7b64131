import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore
import TestSupport
import Testing

/// A log of one day, read by clients that behave and by clients that misbehave.
@Suite(.serialized) struct LogReadingTests {
  /// More pages than a client may have pending requests, at any page size.
  private static let fixes = 80_000

  private let place: RunningDaemon.Place
  private let daemon: RunningDaemon

  init() throws {
    place = try RunningDaemon.Place()
    let state = place.folder.appendingPathComponent("state").path
    let index = try LogIndex(stateFolder: state)
    let log = try index.start("long", LogConfiguration(), at: LoggedDrive.fix(0).time)
    _ = try index.stop("long", at: LoggedDrive.fix(0).time)
    var settings = TrackWriter.Settings(log: "long", bootID: nil, retention: .megabytes(1000))
    settings.freeShare = 0
    var writer = try TrackWriter(folder: index.folder(of: log), settings)
    try writer.append(.interruption(.started))
    for number in 0..<Self.fixes { try writer.append(.fix(LoggedDrive.fix(number))) }
    try writer.close()
    daemon = try RunningDaemon.listening(at: place)
  }

  private func first(_ client: RawClient, _ request: UInt32) throws -> ServiceEvent {
    client.send(.request(.log(RequestID(request), .read(name: "long", from: nil, to: nil))))
    return try #require(try client.nextEvent())
  }

  private func bookmark(_ event: ServiceEvent) throws -> LogRequest.Bookmark {
    guard case .log(_, .page(let page)) = event else { throw RawClient.NoAnswer() }
    return try #require(page.next)
  }

  @Test func isReadToItsEndWhileOthersReadRecordAndGo() throws {
    // One client disconnects in the middle of its answer, and one client does not read its answer.
    var gone: RawClient? = try RawClient.greeted(place, name: "gone")
    gone?.send(.request(.log(RequestID(1), .read(name: "long", from: nil, to: nil))))
    gone = nil
    let idle = try RawClient.greeted(place, name: "idle")
    idle.send(.request(.log(RequestID(1), .read(name: "long", from: nil, to: nil))))

    #expect(try CommandRun.run("log", "start", "now", "--standing", at: place).status == 0)
    let exports = try (0..<2).map { _ in try CommandRun(["log", "export", "long", "--format", "csv"], at: place) }
    for export in exports.map({ $0.finish() }) {
      #expect(export.status == 0, "\(export.errors)")
      #expect(export.text.split(whereSeparator: \.isNewline).count == 1 + Self.fixes)
    }
    #expect(try CommandRun.run("log", "export", "now", at: place).status == 0)
    #expect(try CommandRun.run("log", "remove", "long", "--force", at: place).status == 0)
    _ = idle
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func bookmarksAreTheirClientsOwn() throws {
    let owner = try RawClient.greeted(place, name: "owner")
    let other = try RawClient.greeted(place, name: "other")
    let bookmark = try bookmark(try first(owner, 1))
    other.send(.request(.log(RequestID(1), .readOn(bookmark))))
    #expect(try other.nextEvent() == .failed(RequestID(1), .log(.unknownBookmark)))
    other.send(.request(.log(RequestID(2), .readOn(LogRequest.Bookmark(4_000_000_000)))))
    #expect(try other.nextEvent() == .failed(RequestID(2), .log(.unknownBookmark)))
    owner.send(.request(.log(RequestID(2), .readOn(bookmark))))
    guard case .log(RequestID(2), .page)? = try owner.nextEvent() else { throw RawClient.NoAnswer() }

    for request: UInt32 in 3...5 { _ = try self.bookmark(try first(owner, request)) }
    #expect(try first(owner, 6) == .failed(RequestID(6), .log(.tooManyReadings(limit: 4))))
    // The limit counts only the readings of the same client; and a client that has disconnected has no readings.
    _ = try self.bookmark(try first(other, 3))
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }
}
