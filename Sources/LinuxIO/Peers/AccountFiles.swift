import Glibc

/// The system's accounts, read directly from its files, because the C library may load plug-ins and use the network. A user
/// in neither of the two files has only the groups that the kernel reports.
package struct AccountFiles: Hashable, Sendable {
  /// Maximum file size in bytes; larger files are not read at all.
  private static let maximumSize = 1 << 20

  private let folder: String

  /// - Parameter path: `/etc`.
  package init(_ path: String) { folder = path }

  /// The groups among `groups` that a process belongs to: according to the kernel, or because the group's line contains
  /// its user's name, so that a user who was just added need not log in again.
  package func groups(of process: PeerProcess, among groups: Set<String>) -> Set<String> {
    var found: Set<String> = []
    var name: String??
    for line in lines("group") {
      // "name:password:number:members" (group(5))
      let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 4, omittingEmptySubsequences: false)
      guard fields.count >= 4, let group = groups.first(where: { fields[0].elementsEqual($0.utf8) }),
        !found.contains(group), let number = UInt32(String(decoding: fields[2], as: UTF8.self))
      else { continue }
      if process.credentials.groupID == number || process.groups.contains(number) {
        found.insert(group)
      } else if !fields[3].isEmpty {
        let user = name ?? self.name(of: process.credentials.userID)
        name = .some(user)
        let members = fields[3].split(separator: UInt8(ascii: ","))
        if let user, members.contains(where: { $0.elementsEqual(user.utf8) }) { found.insert(group) }
      }
    }
    return found
  }

  /// The name of a user; the first one if several names have the same ID.
  package func name(of user: UInt32) -> String? {
    Self.name(of: user, in: lines("passwd"))
  }

  /// The name of a user or group by the lines of its file, both of which begin with "name:password:number:" (passwd(5),
  /// group(5)).
  static func name(of number: UInt32, in lines: [ArraySlice<UInt8>]) -> String? {
    for line in lines {
      let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count >= 3, !fields[0].isEmpty, UInt32(String(decoding: fields[2], as: UTF8.self)) == number else {
        continue
      }
      return String(decoding: fields[0], as: UTF8.self)
    }
    return nil
  }

  /// A user's primary group (passwd(5)).
  package func primaryGroup(of user: UInt32) -> UInt32? {
    account { Self.number($0[2]) == user }.flatMap { Self.number($0[3]) }
  }

  /// The ID of the user of that name.
  package func number(ofUser name: String) -> UInt32? {
    account { $0[0].elementsEqual(name.utf8) }.flatMap { Self.number($0[2]) }
  }

  /// The user to whom a user ID was given for use in user namespaces (subuid(5)); `nil`: it was not.
  package func owner(ofSubordinate user: UInt32) -> UInt32? {
    for line in lines("subuid") {
      // "name or ID:first:count"
      let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count >= 3, let first = Self.number(fields[1]), let count = Self.number(fields[2]),
        user >= first, user - first < count
      else { continue }
      return number(ofUser: String(decoding: fields[0], as: UTF8.self)) ?? Self.number(fields[0])
    }
    return nil
  }

  /// The fields of the first user that matches; lines are "name:password:number:group:…" (passwd(5)).
  private func account(_ isSought: ([ArraySlice<UInt8>]) -> Bool) -> [ArraySlice<UInt8>]? {
    for line in lines("passwd") {
      let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 4, omittingEmptySubsequences: false)
      if fields.count >= 4, isSought(fields) { return fields }
    }
    return nil
  }

  private static func number(_ field: ArraySlice<UInt8>) -> UInt32? { UInt32(String(decoding: field, as: UTF8.self)) }

  private func lines(_ file: String) -> [ArraySlice<UInt8>] {
    guard let bytes = try? StateFile.read("\(folder)/\(file)", maximumSize: Self.maximumSize) else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n"))
  }
}

/// Names of groups from `/etc/group`, read directly, because the C library may load plug-ins and use the network.
enum GroupFile {
  /// Larger files are read up to this many bytes.
  private static let maximumSize = 256 * 1024

  static func name(of group: UInt32, path: String = "/etc/group") -> String? {
    guard let fd = try? SystemCall.run("open", { unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }) else {
      return nil
    }
    let descriptor = OwnedDescriptor(rawValue: fd)
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    while text.count < maximumSize, case .bytes(let count) = Transfer.read(descriptor.rawValue, into: &buffer) {
      text += buffer[..<count]
    }
    return AccountFiles.name(of: group, in: text.split(separator: UInt8(ascii: "\n")))
  }
}

/// The folders of the files of the kernel, of logind and of the accounts; recorded data can be read from other folders.
package struct SystemFolders: Hashable, Sendable {
  static let systemProcesses = "/proc"
  /// proc(5).
  package var processes = SystemFolders.systemProcesses
  /// Files of logind and elogind: `sessions/ID` and `users/UID`.
  package var logins = "/run/systemd"
  /// passwd(5), group(5).
  package var accounts = "/etc"

  package init(processes: String = "/proc", logins: String = "/run/systemd", accounts: String = "/etc") {
    self.processes = processes
    self.logins = logins
    self.accounts = accounts
  }
}
