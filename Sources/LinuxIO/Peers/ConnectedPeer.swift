internal import CLinux
internal import Geodesy
import Glibc

/// The process at the other end of a connection, held by a pidfd so that reuse of its process ID is detected.
///
/// Create this as soon as the connection is accepted. Before Linux 6.5 the kernel provides no pidfd of the peer itself:
/// if a process of the same user reused the ID between the connection and this call, that is not detected. (For that,
/// as many new processes as there are process IDs, thousands to millions, must start in that time.)
package struct ConnectedPeer: ~Copyable {
  /// How the pidfd was obtained.
  package enum Hold: Hashable, Sendable, CaseIterable {
    /// From the socket, which knows the process itself (SO_PEERPIDFD, Linux 6.5).
    case bySocket
    /// By its process ID (pidfd_open(2)).
    case byNumber
  }

  package let credentials: PeerCredentials
  /// How the pidfd was obtained for this peer.
  package let hold: Hold
  private let groups: [UInt32]
  private let process: OwnedDescriptor
  private let acceptedAt: Instant

  /// Maximum number of groups of a process (NGROUPS_MAX).
  private static let maximumGroups = 65_536

  /// - Parameter best: `.byNumber` emulates a kernel without SO_PEERPIDFD.
  package init(_ stream: borrowing UnixStream, best: Hold = .bySocket) throws(PeerError) {
    guard let credentials = stream.peer else { throw .unseen }
    let groups = try Self.groups(stream.descriptor)
    let held = try Self.hold(credentials.processID, stream.descriptor, best)
    self.credentials = credentials
    self.groups = groups
    hold = held.by
    process = OwnedDescriptor(rawValue: held.descriptor)
    // The time after accepting, not that of the loop's turn: a process started during the turn may have connected.
    acceptedAt = MonotonicClock.now()
  }

  /// A process that is named by a program that may act on its behalf. If another process has its ID now, `identify` throws.
  ///
  /// - Parameter startTicks: its start, as that program has read it (`ProcessRecord.startTicks`).
  package init(named credentials: PeerCredentials, startTicks: Int64) throws(PeerError) {
    groups = []
    let held = try Self.hold(credentials.processID, -1, .byNumber)
    self.credentials = credentials
    hold = held.by
    process = OwnedDescriptor(rawValue: held.descriptor)
    acceptedAt = ProcessRecord.instant(ofTicks: startTicks)
  }

  /// This process, as another process would see it at its socket.
  package static func ofOwnProcess() throws(PeerError) -> ConnectedPeer {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    do throws(SystemError) {
      try SystemCall.run("socketpair") { unsafe socketpair(AF_UNIX, type, 0, &ends) }
    } catch {
      throw .system(error)
    }
    let stream = UnixStream(OwnedDescriptor(rawValue: ends[0]))
    let other = OwnedDescriptor(rawValue: ends[1])
    let peer = try ConnectedPeer(stream)
    // The peer's credentials are available only while both ends are open.
    withExtendedLifetime(other.rawValue) {}
    return peer
  }

  /// Readable when the process has exited.
  package var descriptor: Int32 { process.rawValue }

  /// Its user and groups when it connected; looks up nothing else.
  package var account: PeerProcess { PeerProcess(credentials, groups: groups) }

  /// Whether the process has a user namespace of its own; `false` if that cannot be determined, for example after it
  /// has exited.
  package func hasOwnUsers(in folders: SystemFolders = SystemFolders()) -> Bool {
    guard let folder = try? ProcessFolder(of: credentials.processID, in: folders.processes),
      let map = try? folder.userMap(), let own = try? ProcessFolder.ownUserMap(in: folders.processes)
    else { return false }
    return map != own
  }

  package var hasEnded: Bool {
    var state = pollfd(fd: process.rawValue, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&state, 1, 0) != 0
  }

  /// Identifies the process. The result never mixes two processes: the open `/proc` folder belongs to one process even
  /// if the ID is reused, and that process is the one that the pidfd refers to, because the latter had not exited after
  /// the files were read.
  package func identify(in folders: SystemFolders = SystemFolders()) throws(PeerError) -> PeerProcess {
    let folder = try ProcessFolder(of: credentials.processID, in: folders.processes)
    let before = try folder.record()
    let status = try folder.status()
    let controlGroup = ControlGroup(try folder.read("cgroup"))
    let hasOwnUsers = try folder.userMap() != ProcessFolder.ownUserMap(in: folders.processes)
    let after = try folder.record()
    guard !hasEnded, before.startTicks == after.startTicks else { throw .ended }
    guard after.startedAt <= acceptedAt else { throw .startedLater }
    guard status.userID == credentials.userID else {
      throw .userChanged(connected: credentials.userID, now: status.userID)
    }
    return PeerProcess(
      credentials, groups: groups, controlGroup: controlGroup,
      hasOwnNamespaces: hasOwnUsers || status.numbers > 1, hasTerminal: after.hasTerminal)
  }

  // MARK: -

  private static func hold(
    _ number: Int32, _ socket: Int32, _ best: Hold
  ) throws(PeerError) -> (descriptor: Int32, by: Hold) {
    do throws(SystemError) {
      if best == .bySocket {
        do throws(SystemError) {
          return (try SystemCall.run("getsockopt") { clinux_peer_pidfd(socket) }, .bySocket)
        } catch {
          guard error.errno == ENOPROTOOPT else { throw error }
        }
      }
      return (try SystemCall.run("pidfd_open") { clinux_pidfd_open(number) }, .byNumber)
    } catch {
      // Which of these errors is returned depends on the kernel version.
      throw [ESRCH, EINVAL, ENODATA].contains(error.errno) ? .ended : .system(error)
    }
  }

  private static func groups(_ socket: Int32) throws(PeerError) -> [UInt32] {
    var groups = [UInt32](repeating: 0, count: 64)
    do throws(SystemError) {
      while true {
        let count = Int(
          try SystemCall.run("getsockopt") { unsafe clinux_peer_groups(socket, &groups, Int32(groups.count)) })
        guard count > groups.count else { return Array(groups.prefix(count)) }
        guard count <= maximumGroups else { throw SystemError(operation: "getsockopt", errno: ERANGE) }
        groups = [UInt32](repeating: 0, count: count)
      }
    } catch {
      throw .system(error)
    }
  }
}

/// Why the process at the other end of a socket cannot be identified. Such a peer has no identity.
package enum PeerError: Error, Hashable, Sendable {
  /// The kernel reports no process: the peer is not visible to this process, for example because it is outside the
  /// container.
  case unseen
  /// The process that connected has exited; its ID may have been reused.
  case ended
  /// The process with that ID was started after the connection was made.
  case startedLater
  /// Its effective user is not the one that connected.
  case userChanged(connected: UInt32, now: UInt32)
  /// The file of that name in `/proc` does not have the expected content.
  case unreadable(file: String)
  case system(SystemError)
}
