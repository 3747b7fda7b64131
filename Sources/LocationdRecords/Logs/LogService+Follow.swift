import Geodesy
import LinuxIO
import LocationIPC
import LocationPolicy
import LocationStore

/// Following logs: each client receives what is added to a log.
extension LogService {
  func follow(
    _ name: String, from: GNSSTime?, _ id: RequestID, from client: ClientID, of requester: LogOwner?
  ) throws(DatabaseError) -> ServiceEvent {
    try with(name, id, of: requester, in: readable()) { log, open throws(DatabaseError) in
      if let key = log.configuration.publicKey { return .failed(id, .log(.sealed(name: name, key: key.text))) }
      let folder = open.index.folder(of: log)
      return try follow(log, id, for: client) { current throws(SystemError) in
        let history = try from.map { from throws(SystemError) in try TrackReader(folder: folder, from: from) }
        return LogFollower(history, upTo: current?.lastRecorded, of: log.id, for: client)
      }
    }
  }

  /// The same for an encrypted log.
  func followSealed(
    _ name: String, from: GNSSTime?, _ id: RequestID, from client: ClientID, of requester: LogOwner?
  ) throws(DatabaseError) -> ServiceEvent {
    try with(name, id, of: requester, in: readable()) { log, open throws(DatabaseError) in
      guard log.configuration.publicKey != nil else { return .failed(id, .log(.notSealed(name: name))) }
      let folder = open.index.folder(of: log)
      return try follow(log, id, for: client) { _ in
        LogFollower(sealed: EncryptedTrackTail(folder: folder, from: from), of: log.id, for: client)
      }
    }
  }

  /// Begins to follow a log; the first page contains what was recorded before.
  func follow(
    _ log: IndexedLog, _ id: RequestID, for client: ClientID,
    _ begin: (RunningLog?) throws(SystemError) -> LogFollower
  ) throws(DatabaseError) -> ServiceEvent {
    guard records else { return .failed(id, .log(.needsDaemon)) }
    let ofClient = followers.values.count { $0.client == client }
    guard ofClient < Self.maximumReadings.client, followers.count < Self.maximumReadings.all else {
      return .failed(id, .log(.tooManyReadings(limit: Self.maximumReadings.client)))
    }
    let current = recorded(log)
    if let current { noting(current) { $0.synchronize(at: present) } }
    let follower: LogFollower
    do throws(SystemError) {
      follower = try begin(current)
    } catch {
      throw .system(error)
    }
    let bookmark = LogRequest.Bookmark(nextBookmark)
    nextBookmark &+= 1
    followers[bookmark] = follower
    guard let page = follower.page(at: bookmark, problem: current?.problem, isFirst: true) else { return .done(id) }
    return .log(id, page)
  }

  /// Requests the next page, which is sent as soon as it has an entry.
  func follow(on bookmark: LogRequest.Bookmark, _ id: RequestID, from client: ClientID) {
    guard let follower = followers[bookmark], follower.client == client else {
      return report(.answer(.failed(id, .log(.unknownBookmark)), to: client))
    }
    follower.waiting = id
  }

  /// Answers the requests for which there is something now.
  func answerFollowers() {
    for (bookmark, follower) in followers {
      guard let id = follower.waiting else { continue }
      let problem = running.first { $0.log.log.id == follower.log }?.log.problem
      guard let page = follower.page(at: bookmark, problem: problem) else { continue }
      follower.waiting = nil
      report(.answer(.log(id, page), to: follower.client))
    }
  }
}
