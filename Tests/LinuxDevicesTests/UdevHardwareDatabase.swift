import Foundation
import LinuxDevices

/// The hwdb file of this package as compiled by systemd-hwdb, without that of the distribution.
struct UdevHardwareDatabase {
  private static let program = "/usr/bin/systemd-hwdb"
  static let isAvailable = FileManager.default.isExecutableFile(atPath: program)

  private let root: Root

  init() throws {
    root = try Root()
    let update = try Command(Self.program, ["--strict", "--root", root.path, "update"])
    guard update.status == 0 else { throw Refused(output: update.output) }
  }

  struct Refused: Error {
    let output: String
  }

  /// The properties of a USB device with this identity.
  func properties(of usb: USBIdentity) throws -> [String: String] {
    let words = "\(usb)".uppercased().split(separator: ":")
    let query = try Command(
      Self.program, ["--root", root.path, "query", "usb:v\(words[0])p\(words[1])d0100dc02dsc00dp00ic02isc02ip01in00"])
    var properties: [String: String] = [:]
    for line in query.output.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { throw Refused(output: query.output) }
      properties[String(parts[0])] = String(parts[1])
    }
    return properties
  }

  /// A folder that stands for `/`, and that is removed with its owner.
  private final class Root {
    let path: String

    init() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      path = folder.path
      let files = folder.appendingPathComponent("etc/udev/hwdb.d")
      try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
      let ours = URL(fileURLWithPath: UdevRules.path).deletingPathExtension().appendingPathExtension("hwdb")
      try FileManager.default.copyItem(at: ours, to: files.appendingPathComponent(ours.lastPathComponent))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }
}
