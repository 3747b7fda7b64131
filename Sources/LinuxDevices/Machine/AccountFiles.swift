internal import Glibc

/// `/etc/passwd` and `/etc/group`, read directly, because the C library may load plug-ins and use the network.
struct AccountFiles {
  /// Larger files are read up to this many bytes.
  private static let maximumSize = 256 * 1024

  private struct Group {
    var name: String
    var number: UInt32
    var members: [String]
  }

  private let groups: [Group]
  private let users: [UInt32: String]

  init(tree: FileTree) {
    // "name:password:number:members" (group(5)), "name:password:number:…" (passwd(5)).
    groups = Self.lines(of: "/etc/group", tree).compactMap { fields in
      guard fields.count >= 4, let number = UInt32(fields[2]) else { return nil }
      return Group(name: fields[0], number: number, members: fields[3].split(separator: ",").map(String.init))
    }
    users = Self.lines(of: "/etc/passwd", tree).reduce(into: [:]) { users, fields in
      if fields.count >= 3, let number = UInt32(fields[2]), users[number] == nil { users[number] = fields[0] }
    }
  }

  func groupName(of number: UInt32) -> String? { groups.first { $0.number == number }?.name }

  /// The groups whose member lists contain this user.
  func groups(listing user: UInt32) -> Set<String> {
    guard let name = users[user] else { return [] }
    return Set(groups.filter { $0.members.contains(name) }.map(\.name))
  }

  private static func lines(of path: String, _ tree: FileTree) -> [[String]] {
    let bytes = tree.bytes(of: path, limit: maximumSize) ?? []
    return bytes.split(separator: UInt8(ascii: "\n")).map { line in
      line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }
}

/// The user and groups of a process.
package struct UserIdentity: Hashable, Sendable {
  package var user: UInt32
  /// The current groups.
  package var groups: [UInt32]

  package init(user: UInt32, groups: [UInt32]) {
    self.user = user
    self.groups = groups
  }

  /// The identity of this process.
  package static var current: UserIdentity {
    var list = [gid_t](repeating: 0, count: 1024)
    let count = unsafe getgroups(Int32(list.count), &list)
    return UserIdentity(user: geteuid(), groups: [getegid()] + list.prefix(Int(max(0, count))))
  }
}
