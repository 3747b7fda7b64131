import Foundation
import Glibc
import LinuxIO
import TestSupport
import Testing

/// Real TCP connections over the loopback interface.
@Suite final class SocketDiagnosisTests {
  private let diagnosis: SocketDiagnosis
  private static let isRoot = geteuid() == 0

  init() throws { diagnosis = try SocketDiagnosis() }

  /// A listener on a free port, and the client's address of it.
  private func listener(_ host: String) throws -> (listener: TCPListener, port: UInt16) {
    for _ in 0..<64 {
      let port = UInt16.random(in: 20_000..<60_000)
      let address = try #require(NetworkAddress(numeric: host, port: port))
      do throws(SystemError) {
        return (try TCPListener(at: address), port)
      } catch {
        guard error.errno == EADDRINUSE else { throw error }
      }
    }
    throw SystemError(operation: "bind", errno: EADDRINUSE)
  }

  private func accept(_ listener: TCPListener) throws -> TCPConnection {
    #expect(waitReadable(listener.descriptor))
    guard let stream = try listener.accept() else { throw SystemError(operation: "accept", errno: EAGAIN) }
    return stream
  }

  private func inode(_ descriptor: Int32) -> UInt32 {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 ? UInt32(status.st_ino) : 0
  }

  /// A client of either family is found, also one of IPv6 that connects to an IPv4 address.
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("127.0.0.1", "::ffff:127.0.0.1"), ("127.0.0.2", "127.0.0.2"),
  ])
  func knowsTheOwner(listening: String, connecting: String) throws {
    let (listener, port) = try listener(listening)
    let client = try TCPConnection(to: try #require(NetworkAddress(numeric: connecting, port: port)))
    let stream = try accept(listener)
    let owner = try diagnosis.owner(of: stream)
    #expect(owner.userID == geteuid())
    #expect(owner.inode == inode(client.descriptor) && owner.inode != 0)
  }

  /// The kernel reports user 0 for a socket that no process has open any more.
  @Test func aClosedPeerIsNobody() throws {
    let (listener, port) = try listener("127.0.0.1")
    var client: TCPConnection? = try TCPConnection(to: try #require(NetworkAddress(numeric: "127.0.0.1", port: port)))
    let stream = try accept(listener)
    let early = try diagnosis.owner(of: stream)
    #expect(early.inode != 0)
    client = nil
    #expect(throws: SocketOwnerError.closing) { try diagnosis.owner(of: stream) }
    _ = client?.descriptor
  }

  @Test func aHalfClosedPeerIsNobody() throws {
    let (listener, port) = try listener("::1")
    let client = try TCPConnection(to: try #require(NetworkAddress(numeric: "::1", port: port)))
    let stream = try accept(listener)
    #expect(shutdown(client.descriptor, Int32(SHUT_WR)) == 0)
    #expect(throws: SocketOwnerError.closing) { try diagnosis.owner(of: stream) }
  }

  /// A client that has reset its connection before it was accepted.
  @Test func aResetPeerIsNobody() throws {
    let (listener, port) = try listener("127.0.0.1")
    do {
      let client = try TCPConnection(to: try #require(NetworkAddress(numeric: "127.0.0.1", port: port)))
      var reset = Glibc.linger(l_onoff: 1, l_linger: 0)
      let size = socklen_t(MemoryLayout<Glibc.linger>.size)
      #expect(unsafe setsockopt(client.descriptor, SOL_SOCKET, SO_LINGER, &reset, size) == 0)
    }
    #expect(waitReadable(listener.descriptor))
    guard let stream = try listener.accept() else { return }
    #expect(throws: SocketOwnerError.gone) { try diagnosis.owner(of: stream) }
  }

  /// Without a module for a protocol, the kernel finds no socket of it, and answers as for a connection that has ended.
  @Test(arguments: ["127.0.0.1", "::1"]) func knowsWhetherTheKernelCanAnswer(host: String) throws {
    let (listener, port) = try listener(host)
    let isAvailable = diagnosis.isAvailable(for: listener)
    #expect(isAvailable)
    // 253 is for experiments (RFC 3692): no kernel has a module for it, as some have none for TCP.
    let other = try SocketDiagnosis(protocolNumber: 253)
    let isOtherAvailable = other.isAvailable(for: listener)
    #expect(!isOtherAvailable)
    let client = try TCPConnection(to: try #require(NetworkAddress(numeric: host, port: port)))
    let stream = try accept(listener)
    #expect(throws: SocketOwnerError.gone) { try other.owner(of: stream) }
    _ = client.descriptor
  }

  /// Another user's process, whose user the kernel knows whatever the process does afterwards.
  @Test(.enabled(if: isRoot, "only root can be another user"), arguments: ["127.0.0.1", "::1"])
  func knowsAnotherUser(host: String) throws {
    let (listener, port) = try listener(host)
    let client = try HelperProcess("peer-bed", ["tcp", host, "\(port)", "user=1234", "group=2345"], environment: [:])
    let stream = try accept(listener)
    #expect(try diagnosis.owner(of: stream).userID == 1234)
    client.endInput()
  }

  /// The kernel reports the user that created the socket, and nobody once that process has ended.
  @Test(.enabled(if: isRoot, "only root can be another user")) func theUserIsThatOfTheSocket() throws {
    let (listener, port) = try listener("127.0.0.1")
    let client = try HelperProcess("peer-bed", ["tcp", "127.0.0.1", "\(port)", "then=1234"], environment: [:])
    let stream = try accept(listener)
    #expect(client.next().map { String(decoding: $0, as: UTF8.self).hasPrefix("connected") } == true)
    #expect(try diagnosis.owner(of: stream).userID == 0)
    client.kill()
    #expect(waitReadable(stream.descriptor))
    #expect(throws: SocketOwnerError.self) { try diagnosis.owner(of: stream) }
  }

  /// In a user namespace, a process is root for itself and the same user for everybody else.
  @Test(.enabled(if: isRoot, "only root can be another user"))
  func rootOfANamespaceIsItsUser() throws {
    let (listener, port) = try listener("127.0.0.1")
    let client = try HelperProcess(
      "peer-bed", ["tcp", "127.0.0.1", "\(port)", "user=1234", "own=users"], environment: [:])
    let stream = try accept(listener)
    #expect(try diagnosis.owner(of: stream).userID == 1234)
    client.endInput()
  }

  // MARK: - Control groups

  /// A group is found by the inode of its folder; version 1 has none.
  @Test func findsAControlGroup() throws {
    let folder = try TemporaryFolder()
    let group = "/user.slice/user-1000.slice/session-3.scope"
    try FileManager.default.createDirectory(atPath: folder.path + group, withIntermediateDirectories: true)
    var groups = ControlGroupFolders(roots: [folder.path])
    #expect(groups.group(1, of: 1000) == .hidden)
    #expect(FileManager.default.createFile(atPath: folder.path + "/cgroup.controllers", contents: nil))
    groups = ControlGroupFolders(roots: ["/nowhere", folder.path])
    var status = stat()
    try #require(unsafe stat(folder.path + group, &status) == 0)
    #expect(groups.group(UInt64(status.st_ino), of: 1000) == .found(ControlGroup(.session("3"))))
    #expect(groups.knows(UInt64(status.st_ino), of: 1000))
    // The folder is not the one at the top of the machine's groups.
    #expect(groups.group(1, of: 1000) == .hidden)
  }
  /// However many groups a user creates, those of another user, also outside of that user's slice, are found.
  @Test func groupsOfOneUserDoNotHideThoseOfOthers() throws {
    let folder = try TemporaryFolder()
    #expect(FileManager.default.createFile(atPath: folder.path + "/cgroup.controllers", contents: nil))
    func make(_ group: String) throws {
      try FileManager.default.createDirectory(atPath: folder.path + group, withIntermediateDirectories: true)
    }
    for number in 0..<5000 { try make("/user.slice/user-1000.slice/user@1000.service/\(number)") }
    let others = [
      "/user.slice/user-1001.slice/user@1001.service/app.slice/app-a.scope", "/system.slice/a.service/b/c/d/e",
    ]
    for group in others {
      try make(group)
      var status = stat()
      try #require(unsafe stat(folder.path + group, &status) == 0)
      var groups = ControlGroupFolders(roots: [folder.path])
      #expect(groups.group(UInt64(status.st_ino), of: 1001) == .found(ControlGroup(Array("0::\(group)".utf8))))
    }
  }

  /// A user with subordinate user IDs is their owner.
  @Test func subordinateUsers() throws {
    let folder = try TemporaryFolder()
    try Data("bo:x:1000:1000::/:/bin/sh\n".utf8).write(to: URL(fileURLWithPath: folder.path + "/passwd"))
    try Data("bo:100000:65536\n1001:165536:65536\nbroken\n".utf8).write(
      to: URL(fileURLWithPath: folder.path + "/subuid"))
    let accounts = AccountFiles(folder.path)
    #expect(accounts.owner(ofSubordinate: 100_000) == 1000 && accounts.owner(ofSubordinate: 165_535) == 1000)
    #expect(accounts.owner(ofSubordinate: 165_536) == 1001 && accounts.owner(ofSubordinate: 99_999) == nil)
    #expect(accounts.owner(ofSubordinate: 1000) == nil && accounts.owner(ofSubordinate: .max) == nil)
  }
}
