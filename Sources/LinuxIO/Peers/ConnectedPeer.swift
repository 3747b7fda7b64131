internal import CLinux
internal import Geodesy
import Glibc

/// The process at the other end of a connection, held so that its number cannot come to mean another process unnoticed.
///
/// To be made as soon as the connection is accepted: before Linux 6.5 the kernel does not give a hold on the process itself, and
/// one whose number was given to another between connecting and this could not be told from that, where it is the same user's.
/// (That takes as many processes as there are numbers, thousands to millions, in the meantime.)
package struct ConnectedPeer: ~Copyable {
  /// How the process is held.
  package enum Hold: Hashable, Sendable, CaseIterable {
    /// By the socket, which knows the process itself (SO_PEERPIDFD, Linux 6.5).
    case bySocket
    /// By its number (pidfd_open(2)).
    case byNumber
  }

  package let credentials: PeerCredentials
  /// Which of the two it has come to.
  package let hold: Hold
  private let groups: [UInt32]
  private let process: OwnedDescriptor
  private let acceptedAt: Instant

  /// Groups that a process can have (NGROUPS_MAX).
  private static let maximumGroups = 65_536

  /// - Parameter best: `.byNumber` does as on a kernel that knows no better.
  package init(_ stream: borrowing UnixStream, best: Hold = .bySocket) throws(PeerError) {
    guard let credentials = stream.peer else { throw .unseen }
    let groups = try Self.groups(stream.descriptor)
    let held = try Self.hold(credentials.processID, stream.descriptor, best)
    self.credentials = credentials
    self.groups = groups
    hold = held.by
    process = OwnedDescriptor(rawValue: held.descriptor)
    // After it was accepted, and not as of the loop's turn: who started meanwhile may have connected meanwhile.
    acceptedAt = MonotonicClock.now()
  }

  /// This process, as another at its socket would see it.
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
    // Who an end of a socket is connected with is known while both are open.
    withExtendedLifetime(other.rawValue) {}
    return peer
  }

  /// Readable once the process has ended.
  package var descriptor: Int32 { process.rawValue }

  /// Its user and groups, as they were when it connected; nothing else is looked up.
  package var account: PeerProcess { PeerProcess(credentials, groups: groups) }

  /// Whether it counts users in a namespace of its own, as far as the kernel tells: that of a process that has ended is not known.
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

  /// Who it is. Nothing of another process is in it: the files are those of one process, however often its number changes hands,
  /// which is the one held, as that has not ended when they were read.
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
      // Which of them it is changed from release to release.
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

/// Why it cannot be said who is at the other end of a socket. Whoever that is has no identity.
package enum PeerError: Error, Hashable, Sendable {
  /// The kernel names nobody: a process that this one cannot see, as from outside of its container.
  case unseen
  /// The process that connected has ended; its number may be another's by now.
  case ended
  /// The process of that number was started after the connection was there.
  case startedLater
  /// It acts as another user than the one that connected.
  case userChanged(connected: UInt32, now: UInt32)
  /// `/proc` does not say what it should: of that file.
  case unreadable(file: String)
  case system(SystemError)
}
