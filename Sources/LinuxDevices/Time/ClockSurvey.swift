internal import Geodesy
internal import LinuxIO
package import TimeService

/// Reads what decides whether the system's clock may be set.
package struct ClockSurvey {
  /// The bit of CAP_SYS_TIME (linux/capability.h).
  private static let capability = 25
  private static let unitLists = ["/usr/lib/systemd/ntp-units.d", "/etc/systemd/ntp-units.d"]
  /// Files that a service writes with the clock: their times are past.
  private static let clockFiles = ["/var/lib/systemd/timesync/clock", "/etc/fake-hwclock.data"]
  private static let chronyPrograms = ["/usr/sbin/chronyd", "/usr/local/sbin/chronyd"]

  private let tree: FileTree
  /// Exists once the clock was set since boot.
  private let mark: String

  /// - Parameters:
  ///   - tree: the tree with `/usr`, `/etc`, `/sys`, `/proc` and `/var`.
  ///   - mark: a file on a file system that is empty after a boot.
  package init(tree: FileTree = FileTree(), mark: String) { (self.tree, self.mark) = (tree, mark) }

  package var circumstances: ClockCircumstances {
    var known = ClockCircumstances()
    known.isEnabled = maySetClock
    known.hasChrony = Self.chronyPrograms.contains { tree.exists($0) }
    known.hasActiveTimeService = timeServices.contains { isActive($0) }
    known.isSynchronized = WallClock.error.map { $0 < .seconds(16) } ?? false
    known.wasSetSinceBoot = tree.exists(mark)
    known.buildDate = BuildDate.date
    known.newestFileTime = Self.clockFiles.compactMap { tree.modificationTime(of: $0) }.max()
    return known
  }

  /// Whether this process has the capability, which it gets only if the administrator has switched it on.
  private var maySetClock: Bool {
    let lines = String(decoding: tree.bytes(of: "/proc/self/status") ?? [], as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("CapEff:") }),
      let set = line.split(whereSeparator: { $0 == "\t" || $0 == " " }).last.flatMap({ UInt64($0, radix: 16) })
    else { return false }
    return set >> UInt64(Self.capability) & 1 != 0
  }

  /// The units that keep a clock (systemd-timedated.service(8)).
  private var timeServices: [String] {
    Self.unitLists.flatMap { folder in
      tree.names(in: folder).filter { $0.hasSuffix(".list") }.flatMap { name in
        String(decoding: tree.bytes(of: "\(folder)/\(name)") ?? [], as: UTF8.self).split(separator: "\n")
          .filter { !$0.hasPrefix("#") && !$0.contains("/") && !$0.isEmpty }.map(String.init)
      }
    }
  }

  /// Whether processes run in the unit's control group.
  private func isActive(_ unit: String) -> Bool {
    tree.bytes(of: "/sys/fs/cgroup/system.slice/\(unit)/cgroup.procs", limit: 16)?.isEmpty == false
  }
}
