import LinuxIO
import PlacesCore

/// The time zone of this machine, and the files of the tz database.
enum MachineTimeZone {
  private static let database = "/usr/share/zoneinfo"

  /// The rules of a zone; `nil` if the database has none of that name.
  static func rules(_ zone: String) -> ZoneRules? {
    guard ZoneMap.isName(zone),
      let bytes = try? StateFile.read("\(database)/\(zone)", maximumSize: ZoneRules.largestFile)
    else { return nil }
    return ZoneRules(bytes.span)
  }

  /// Makes a zone that of the machine: timedatectl asks polkit for the right; without systemd, `/etc/localtime` is replaced.
  static func set(_ zone: String) -> CommandStatus {
    guard rules(zone) != nil else {
      return Diagnostics.report(
        FailureMessage(
          "The tz database of this machine has no zone \(TerminalText.sanitized(zone)): update the package tzdata.",
          .noData))
    }
    if FileStatus.exists("/run/systemd/system"),
      let process = try? ChildProcess("timedatectl", ["--no-ask-password", "set-timezone", zone])
    {
      guard process.finish().ending == .exited(0) else {
        return Diagnostics.report(
          FailureMessage("timedatectl has not set the time zone \(zone): run the command with sudo.", .denied))
      }
      return .done
    }
    do throws(SystemError) {
      try SymbolicLink.replace("/etc/localtime", with: "\(database)/\(zone)")
      if FileStatus.exists("/etc/timezone") {
        try StateFile.write("/etc/timezone", Array("\(zone)\n".utf8), isPublic: true)
      }
      return .done
    } catch {
      return Diagnostics.report(
        FailureMessage(
          "/etc/localtime cannot be replaced (\(ErrorDescription.of(error.errno))): run the command with sudo.",
          error.isPermission ? .denied : .cannotWrite))
    }
  }
}
