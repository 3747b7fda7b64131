import LinuxIO

/// Where files of places are: those of the system serve the programs of all users, those of a user serve that user's programs.
package enum PlacesFolders {
  /// Whom a file serves.
  package enum Scope: String, Hashable, Sendable, CaseIterable {
    case system, user
  }

  /// The folder of the system's files, which all users can read and only root can write to. It is not in the daemon's state folder, which
  /// belongs to the daemon and cannot be read by others.
  package static let system = "/var/lib/locationd-places"

  /// The folder of this user's files (XDG Base Directory Specification, `XDG_DATA_HOME`); `nil` if neither it nor `HOME` is set.
  package static func user(_ environment: (String) -> String? = ProcessEnvironment.value) -> String? {
    Directories.userData(environment: environment).map { $0 + "/places" }
  }

  /// The system's folder, or in its place the one that `LOCATIOND_PLACES_FOLDER` names, for tests and for data on another disk.
  package static func folder(
    of scope: Scope, _ environment: (String) -> String? = ProcessEnvironment.value
  ) -> String? {
    switch scope {
    case .user: user(environment)
    case .system:
      if let other = environment("LOCATIOND_PLACES_FOLDER"), other.hasPrefix("/") { other } else { system }
    }
  }

  /// A file of places.
  package struct Entry: Hashable, Sendable {
    package var name: String
    package var path: String
    package var scope: Scope
    /// Bytes.
    package var size: Int
  }

  /// The most files that are read in a folder.
  private static let mostFiles = 64

  /// The files that serve this user: the user's own first, then the system's, each in the order of their names.
  package static func files(
    _ scopes: [Scope] = [.user, .system], _ environment: (String) -> String? = ProcessEnvironment.value
  ) -> [Entry] {
    var entries: [Entry] = []
    let ending = "." + PlacesFormat.fileExtension
    for scope in scopes {
      guard let folder = folder(of: scope, environment), let files = try? PrivateFolder.files(in: folder) else {
        continue
      }
      let found = files.filter { $0.name.hasSuffix(ending) && isName(String($0.name.dropLast(ending.utf8.count))) }
        .sorted { $0.name < $1.name }.prefix(mostFiles)
      for file in found {
        entries.append(
          Entry(
            name: String(file.name.dropLast(ending.utf8.count)), path: "\(folder)/\(file.name)", scope: scope,
            size: file.size))
      }
    }
    return entries
  }

  /// Whether a text can be the name of a file: letters, digits, `.`, `_` and `-`, and neither a `.` nor a `-` first.
  package static func isName(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (1...64).contains(bytes.count), bytes[0] != UInt8(ascii: "."), bytes[0] != UInt8(ascii: "-") else {
      return false
    }
    return bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }

  /// The name of an extract's places: "liechtenstein-latest.osm.pbf" becomes "liechtenstein".
  package static func name(ofExtract path: String) -> String {
    var name = path.split(separator: "/").last.map(String.init) ?? path
    for ending in [".pbf", ".osm", "-latest", ".lz4"] where name.hasSuffix(ending) {
      name.removeLast(ending.utf8.count)
    }
    if name.hasSuffix("-latest") { name.removeLast(7) }
    return name
  }
}
