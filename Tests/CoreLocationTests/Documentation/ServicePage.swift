import Foundation
import TestSupport

/// Tries out the article on systemd services in a folder: its paths lead into that folder, its account is one that does not
/// exist, and scripts replace `sudo`, `useradd`, `systemctl` and `journalctl`, as far as one service needs them.
struct ServicePage {
  /// Needs what a foreign program needs, and stdbuf(1).
  static var isPossible: Bool {
    ForeignProgram.isPossible && FileManager.default.isExecutableFile(atPath: "/usr/bin/stdbuf")
  }

  private let folder: TemporaryFolder
  private let program: String
  private let unit: String
  private let commands: String

  struct NoBlock: Error { var language: String }

  init(_ text: String) throws {
    func block(_ language: String) throws -> String {
      let parts = text.components(separatedBy: "```\(language)\n")
      guard parts.count == 2, let code = parts[1].components(separatedBy: "\n```").first else {
        throw NoBlock(language: language)
      }
      return code + "\n"
    }
    (program, unit, commands) = (try block("swift"), try block("ini"), try block("sh"))
    folder = try TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
  }

  private func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

  private func write(_ text: String, to name: String, isExecutable: Bool = false) throws {
    let url = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    if isExecutable { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path) }
  }

  /// Puts the program where `swift build -c release` would, and the unit beside the package.
  func build() throws {
    try write(program, to: "main.swift")
    try write(unit, to: "tracker.service")
    let release = folder.url.appendingPathComponent(".build/release")
    try FileManager.default.createDirectory(at: release, withIntermediateDirectories: true)
    let library = release.appendingPathComponent("libCoreLocation.so")
    try FileManager.default.copyItem(at: ToolRun.products.appendingPathComponent("libCoreLocation.so"), to: library)
    let build = try ToolRun(
      ["swiftc", "-swift-version", "6", path("main.swift"), "-o", release.appendingPathComponent("tracker").path]
        + ToolRun.searchPaths
        + ["-L", release.path, "-lCoreLocation", "-Xlinker", "-rpath", "-Xlinker", "$ORIGIN"])
    guard build.status == 0 else { throw SymbolGraph.Failure(output: build.output) }
  }

  /// Has systemd verify the unit, although its program and socket are not installed on this machine.
  func verifyUnit() throws -> ToolRun {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else { return try ToolRun(["true"]) }
    try write("[Socket]\nListenStream=/run/locationd/socket\n", to: "units/locationd.socket")
    try write("[Service]\nExecStart=/bin/true\n", to: "units/locationd.service")
    try write(unit.replacing("/opt/tracker/tracker", with: "/bin/true"), to: "units/tracker.service")
    return try ToolRun([
      "SYSTEMD_UNIT_PATH=\(path("units")):", "systemd-analyze", "verify", "--man=no", path("units/tracker.service"),
    ])
  }

  /// Runs the commands, one after the other, until the journal shows a location.
  func runCommands(at place: RunningDaemon.Place) throws -> ToolRun {
    let user = "\(ForeignProgram.user)"
    func placed(_ text: String) -> String {
      text.replacing("/opt/", with: path("root/opt") + "/").replacing("/etc/", with: path("root/etc") + "/")
    }
    try write("#!/bin/sh\nexec \"$@\"\n", to: "bin/sudo", isExecutable: true)
    let account = "--system --shell /usr/sbin/nologin tracker"
    try write("#!/bin/sh\ntest \"$*\" = '\(account)'\n", to: "bin/useradd", isExecutable: true)
    // Starts the unit's command for its user, without a terminal, with its output in the journal.
    let start = """
      #!/bin/sh -eu
      test "$1 $2" = "enable --now"
      unit="\(path("root/etc/systemd/system"))/$3"
      grep -qx 'User=tracker' "$unit"
      command=$(sed -n 's/^ExecStart=//p' "$unit" | sed 's|/opt/|\(path("root/opt"))/|')
      timeout -k 1 60 setsid setpriv --reuid=\(user) --regid=\(user) --clear-groups $command \\
        >\(path("journal")) 2>&1 </dev/null &
      echo $! >\(path("number"))
      # The service has asked before anybody grants it something.
      tail -n +1 -F \(path("journal")) 2>/dev/null | grep -qm 1 '^authorization'

      """
    try write(start, to: "bin/systemctl", isExecutable: true)
    let show = """
      #!/bin/sh -eu
      test "$*" = "--unit tracker.service --follow"
      tail -n +1 -F \(path("journal")) 2>/dev/null | sed '/^4[0-9]\\./q'

      """
    try write(show, to: "bin/journalctl", isExecutable: true)
    let script = placed(commands).replacing("tracker/service:tracker.service", with: user)
    try write("cd \(folder.url.path)\n" + script + "kill $(cat \(path("number")))\n", to: "commands.sh")
    let search = "\(path("bin")):\(ToolRun.products.path):/usr/bin:/bin"
    let environment = place.environment.merging(["PATH": search]) { $1 }.map { "\($0.key)=\($0.value)" }
    return try ToolRun(environment + ["timeout", "-k", "1", "60", "sh", "-eu", path("commands.sh")])
  }
}
