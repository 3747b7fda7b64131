internal import Glibc

/// Who runs a program.
package struct UserIdentity: Hashable, Sendable {
  package var user: UInt32
  /// The groups that it is in now.
  package var groups: [UInt32]

  package init(user: UInt32, groups: [UInt32]) {
    self.user = user
    self.groups = groups
  }

  /// Of this process.
  package static var current: UserIdentity {
    var list = [gid_t](repeating: 0, count: 1024)
    let count = unsafe getgroups(Int32(list.count), &list)
    return UserIdentity(user: geteuid(), groups: [getegid()] + list.prefix(Int(max(0, count))))
  }
}
