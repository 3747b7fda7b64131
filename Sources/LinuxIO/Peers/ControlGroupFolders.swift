import Glibc

/// Finds the path of a control group of version 2 from the kernel's number for it, which is the inode of its folder.
package struct ControlGroupFolders: Sendable {
  package enum Result: Hashable, Sendable {
    case found(ControlGroup)
    /// The group does not exist any more.
    case gone
    /// This process does not see all groups of the machine, or there are none of version 2.
    case hidden
  }

  /// The most folders that are read for one group, and the most groups whose path is stored.
  private static let (mostFolders, mostStored) = (4096, 512)

  private let roots: [String]
  private var stored: [UInt64: Result] = [:]

  /// - Parameter roots: the possible folders of version 2, the first that exists counts.
  package init(roots: [String] = ["/sys/fs/cgroup/unified", "/sys/fs/cgroup"]) { self.roots = roots }

  /// The group. Reads a folder for each group of the machine if this one was not requested before: a number is never used again.
  package mutating func group(_ number: UInt64) -> Result {
    if let known = stored[number] { return known }
    let result = find(number)
    if stored.count >= Self.mostStored { stored.removeAll() }
    stored[number] = result
    return result
  }

  /// Whether `group` returns without reading folders.
  package func knows(_ number: UInt64) -> Bool { stored[number] != nil }

  private func find(_ number: UInt64) -> Result {
    guard let root = roots.first(where: Self.isVersion2), let own = try? FileStatus.of(root).st_ino else {
      return .hidden
    }
    // The folder at the top has the number 1 in the first namespace, and another one elsewhere.
    let isComplete = own == 1
    if number == own { return isComplete ? .found(ControlGroup(Array("0::/".utf8))) : .hidden }
    // Breadth first: however many groups a user creates, those of the system are found.
    var (paths, next) = ([""], 0)
    while next < paths.count, next < Self.mostFolders {
      for (name, inode) in Self.subfolders(of: root + paths[next]) {
        let path = "\(paths[next])/\(name)"
        if inode == number { return .found(ControlGroup(Array("0::\(path)".utf8))) }
        paths.append(path)
      }
      next += 1
    }
    return isComplete ? .gone : .hidden
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
