import Glibc

/// Finds the path of a control group of version 2 from the kernel's number for it, which is the inode of its folder.
package struct ControlGroupFolders: Sendable {
  package enum Result: Hashable, Sendable {
    case found(ControlGroup)
    /// The group does not exist any more, or there are too many groups to find it.
    case gone
    /// This process does not see all groups of the machine, or there are none of version 2.
    case hidden
  }

  /// The most folders that are read for one group.
  private static let mostFolders = 4096
  /// The most of them below one group of the second level, such as `user.slice/user-1000.slice`: who may create groups has a part of
  /// the tree there, and however many these are, the groups of others are found.
  private static let mostFoldersOfPart = 512
  /// The most groups whose path is stored, of one user and of all.
  private static let (mostOfUser, mostUsers) = (64, 256)

  private let roots: [String]
  /// By user, so that no user can make this type forget the groups of another.
  private var stored: [UInt32: [UInt64: Result]] = [:]

  /// - Parameter roots: the possible folders of version 2, the first that exists counts.
  package init(roots: [String] = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"]) { self.roots = roots }

  /// The group of a user's process. Reads folders if this group was not requested before for that user: a number is never used again.
  package mutating func group(_ number: UInt64, of user: UInt32) -> Result {
    if let known = stored[user]?[number] { return known }
    let result = find(number, of: user)
    if stored[user] == nil, stored.count >= Self.mostUsers { stored.removeAll() }
    if stored[user, default: [:]].count >= Self.mostOfUser { stored[user] = [:] }
    stored[user, default: [:]][number] = result
    return result
  }

  /// Whether `group` returns without reading folders.
  package func knows(_ number: UInt64, of user: UInt32) -> Bool { stored[user]?[number] != nil }

  private func find(_ number: UInt64, of user: UInt32) -> Result {
    guard let root = roots.first(where: Self.isVersion2), let own = try? FileStatus.of(root).st_ino else {
      return .hidden
    }
    // The folder at the top has the number 1 in the first namespace, and another one elsewhere.
    let isComplete = own == 1
    if number == own { return isComplete ? .found(ControlGroup(Array("0::/".utf8))) : .hidden }
    // Where systemd puts the sessions and services of the user (systemd.special(7)).
    let home = "/user.slice/user-\(user).slice"
    let path =
      search(number, below: home, in: root, limit: Self.mostFoldersOfPart)
      ?? search(number, below: "", in: root, limit: Self.mostFolders)
    if let path { return .found(ControlGroup(Array("0::\(path)".utf8))) }
    return isComplete ? .gone : .hidden
  }

  /// Breadth first: groups that are nearer to the top are found first.
  private func search(_ number: UInt64, below start: String, in root: String, limit: Int) -> String? {
    /// `part`: the index of the group of the second level that contains it; `nil`: it is above them.
    struct Place {
      var path: String
      var depth: Int
      var part: Int?
    }
    if !start.isEmpty, (try? FileStatus.of(root + start)).map({ UInt64($0.st_ino) }) == number { return start }
    var places = [Place(path: start, depth: 0)]
    var foldersOfPart: [Int] = []
    var next = 0
    while next < places.count, next < limit {
      let place = places[next]
      next += 1
      for (name, inode) in Self.subfolders(of: root + place.path) {
        let path = "\(place.path)/\(name)"
        if inode == number { return path }
        var part = place.part
        if start.isEmpty, place.depth == 1 {
          part = foldersOfPart.count
          foldersOfPart.append(0)
        }
        if let part {
          guard foldersOfPart[part] < Self.mostFoldersOfPart else { continue }
          foldersOfPart[part] += 1
        }
        places.append(Place(path: path, depth: place.depth + 1, part: part))
      }
    }
    return nil
  }

  private static func isVersion2(_ root: String) -> Bool {
    (try? FileStatus.of(root + "/cgroup.controllers")) != nil
  }

  private static func subfolders(of path: String) -> [(name: String, inode: UInt64)] {
    guard let folder = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(folder) }
    var found: [(name: String, inode: UInt64)] = []
    while let entry = unsafe readdir(folder) {
      guard unsafe entry.pointee.d_type == UInt8(DT_DIR) else { continue }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { found.append((name, UInt64(unsafe entry.pointee.d_ino))) }
    }
    return found
  }
}
