package import LinuxIO

/// The devices for which the system's administrator has made one choice, as the text of one file.
///
/// One identifier per line; lines that begin with `#` are preserved, and blank lines are dropped. Other lines that cannot
/// be identifiers are dropped and counted.
package struct DeviceList: Hashable, Sendable {
  package static let maximumDevices = 256
  package static let maximumFileBytes = 65536
  /// Longest identifier in bytes.
  package static let maximumIdentifierLength = 200

  private enum Line: Hashable, Sendable {
    case identifier(String)
    case comment(String)
  }

  private var lines: [Line] = []
  /// Lines of the file that were neither identifiers nor comments, or exceeded the limits.
  package private(set) var rejectedLines = 0

  package init() {}

  package init(parsing bytes: [UInt8]) {
    for line in bytes.prefix(Self.maximumFileBytes).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
    {
      let trimmed = Self.trimmed(line)
      if trimmed.isEmpty { continue }
      if trimmed.first == UInt8(ascii: "#") {
        guard trimmed.count <= Self.maximumIdentifierLength, lines.count < 2 * Self.maximumDevices,
          let text = Self.printable(trimmed)
        else {
          rejectedLines += 1
          continue
        }
        lines.append(.comment(text))
      } else if let text = Self.printable(trimmed), add(text) {
        continue
      } else {
        rejectedLines += 1
      }
    }
    if bytes.count > Self.maximumFileBytes { rejectedLines += 1 }
  }

  /// The identifiers in the file's order.
  package var identifiers: [String] {
    lines.compactMap {
      switch $0 {
      case .identifier(let id): id
      case .comment: nil
      }
    }
  }

  package func contains(_ id: String) -> Bool { lines.contains(.identifier(id)) }

  /// Adds an identifier; returns `false` if it is not a valid identifier, or if the list is full. Adding it twice is no
  /// error.
  @discardableResult package mutating func add(_ id: String) -> Bool {
    guard Self.isIdentifier(id) else { return false }
    if contains(id) { return true }
    guard identifiers.count < Self.maximumDevices else { return false }
    lines.append(.identifier(id))
    return true
  }

  /// Removes an identifier; returns `false` if it was not in the list.
  @discardableResult package mutating func remove(_ id: String) -> Bool {
    let before = lines.count
    lines.removeAll { $0 == .identifier(id) }
    return lines.count != before
  }

  package func serialized() -> [UInt8] {
    var bytes: [UInt8] = []
    for line in lines {
      switch line {
      case .identifier(let text), .comment(let text): bytes += text.utf8
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }

  package static func isIdentifier(_ text: String) -> Bool {
    (1...maximumIdentifierLength).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: "#")
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  private static func printable(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    var rest = line.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return rest
  }
}

/// Stores a `DeviceList` in the state folder, in a file that is replaced atomically.
package struct DeviceListStore: Hashable, Sendable {
  /// The choice that a list records; the raw value is the name of its file.
  package enum Choice: String, Hashable, Sendable {
    /// Adapters without a known purpose that are receivers.
    case trusted = "trusted-devices"
    /// Receivers that this service uses even if gpsd lists them.
    case owned = "owned-devices"
  }

  /// The file's path.
  package let path: String

  /// - Parameter folder: the state folder; created at the first save.
  package init(_ choice: Choice, folder: String) { path = folder + "/" + choice.rawValue }

  /// The stored list; empty if there is no file or it cannot be read, so that no adapter is opened without the user's request.
  package func load() -> DeviceList {
    do throws(SystemError) { return try read() } catch { return DeviceList() }
  }

  /// Replaces the file.
  package func save(_ list: DeviceList) throws(SystemError) { try StateFile.write(path, list.serialized()) }

  /// Adds or removes one device, preserving changes that another process has written. An existing list that cannot be read
  /// is an error and is not replaced.
  package func set(_ id: String, _ isListed: Bool) throws(SystemError) -> DeviceList {
    var list = try read()
    if isListed { list.add(id) } else { list.remove(id) }
    try save(list)
    return list
  }

  private func read() throws(SystemError) -> DeviceList {
    DeviceList(parsing: try StateFile.read(path, maximumSize: DeviceList.maximumFileBytes) ?? [])
  }
}
