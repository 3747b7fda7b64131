import Geodesy
import LinuxIO
import LocationDatabase
import LocationIPC
import LocationPolicy
import LocationStore

/// Following logs: each client receives new entries of a log.
extension LogService {
  func follow(
    _ name: String, from: GNSSTime?, _ id: RequestID, from client: ClientID, of requester: LogOwner?
  ) throws(DatabaseError) -> ServiceEvent {
    try with(name, id, of: requester, in: readable()) { log, open throws(DatabaseError) in
      if let key = log.configuration.publicKey { return .failed(id, .log(.sealed(name: name, key: key.text))) }
      let folder = open.index.folder(of: log)
      return try follow(log, id, for: client) { current throws(SystemError) in
        let history = try from.map { from throws(SystemError) in
          try TrackReader(folder: folder, from: from, until: current?.position)
        }
        return LogFollower(history, of: log.id, for: client, of: requester)
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
        LogFollower(sealed: EncryptedTrackTail(folder: folder, from: from), of: log.id, for: client, of: requester)
      }
    }
  }

  /// Begins to follow a log; the first page contains the entries that were recorded before.
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
    if let failure = follower.failure {
      followers[bookmark] = nil
      return report(.answer(.failed(id, .log(failure)), to: client))
    }
    follower.waiting = id
  }

  /// Called when a log was deleted: each of its followers ends with the failure for a log that does not exist. Entries
  /// that a follower has not requested are deleted with the log.
  func endFollowing(_ log: IndexedLog, in open: OpenIndex) throws(DatabaseError) {
    let ended = followers.filter { $0.value.log == log.id }
    guard !ended.isEmpty else { return }
    let known = try open.index.logs()
    for (bookmark, follower) in ended {
      let failure = unknown(log.name, known, for: follower.requester)
      if let id = follower.waiting {
        followers[bookmark] = nil
        report(.answer(.failed(id, .log(failure)), to: follower.client))
      } else {
        follower.end(failure)
      }
    }
  }

  /// Ends all followers: the next requests of their clients fail, so that they begin again.
  func forgetFollowers() {
    for follower in followers.values {
      guard let id = follower.waiting else { continue }
      report(.answer(.failed(id, .log(.unknownBookmark)), to: follower.client))
    }
    followers = [:]
  }

  /// Answers the waiting requests for which there are new entries.
  func answerFollowers() {
    guard !followers.isEmpty else { return }
    // The index was removed, so that nothing more will be recorded.
    guard Self.hasIndexFile(in: stateFolder) else { return forgetFollowers() }
    for (bookmark, follower) in followers {
      guard let id = follower.waiting else { continue }
      let problem = running.first { $0.log.log.id == follower.log }?.log.problem
      guard let page = follower.page(at: bookmark, problem: problem) else { continue }
      follower.waiting = nil
      report(.answer(.log(id, page), to: follower.client))
    }
  }
}
