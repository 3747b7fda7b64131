import Foundation
import TestSupport

/// `udevadm test` for a device of the test bed, with the rules of this package installed: in a separate mount namespace, because
/// it creates links in `/dev` and writes to `/run`.
struct PrivateUdev {
  let bed: DeviceBed
  /// The content of a file in `/etc/udev/hwdb.d/` beside the distribution's own; empty: no such file.
  var hardwareDatabase = ""

  private static let unshare = "/usr/bin/unshare"
  /// Without root, a user namespace is needed, too.
  private static let flags = geteuid() == 0 ? ["-m"] : ["-rm"]

  static let isAvailable: Bool = {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/udevadm"),
      FileManager.default.fileExists(atPath: "/etc/udev"),
      let result = try? Command(unshare, flags + ["sh", "-c", "mount -t tmpfs tmpfs /run"])
    else { return false }
    return result.status == 0
  }()

  /// The properties of a device after udev's rules; `folder` without `/sys`.
  func properties(of folder: String) throws -> [String: String] {
    let script = """
      set -e
      mount -t tmpfs tmpfs /run
      mount -t tmpfs tmpfs /etc/udev
      mkdir /etc/udev/rules.d /run/dev
      cp "$1" /etc/udev/rules.d/
      if [ -n "$4" ]; then
        mkdir /etc/udev/hwdb.d
        printf '%s' "$4" >/etc/udev/hwdb.d/70-own.hwdb
        systemd-hwdb update
      fi
      mount -t tmpfs tmpfs /run/dev
      mkdir /run/dev/pts
      touch /run/dev/null
      mount --bind /dev/null /run/dev/null
      mount --bind /dev/pts /run/dev/pts
      mount --move /run/dev /dev
      LD_PRELOAD="$2" exec udevadm test "$3"
      """
    let preload = bed.environment["LD_PRELOAD"] ?? ""
    let result = try Command(
      Self.unshare,
      Self.flags + ["sh", "-c", script, "sh", UdevRules.path, preload, "/sys" + folder, hardwareDatabase],
      environment: ["UMOCKDEV_DIR": bed.root])
    var properties: [String: String] = [:]
    for line in result.output.split(separator: "\n") {
      guard let equals = line.firstIndex(of: "="), line[..<equals].allSatisfy({ $0.isUppercase || $0 == "_" }) else {
        continue
      }
      properties[String(line[..<equals])] = String(line[line.index(after: equals)...])
    }
    return properties
  }
}

/// One run of a program to its end.
struct Command {
  let status: Int32
  /// Standard output and standard error.
  let output: String

  init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }
}
