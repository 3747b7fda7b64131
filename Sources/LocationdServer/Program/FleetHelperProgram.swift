import LinuxIO

/// `locationd fleet-helper`: becomes `locationd-fleet-helper`, the program that has the connection to one destination. It is a program of
/// its own, because a process with this one's code takes 5 MB more, and one with the Swift runtime alone 2.3 MB more.
enum FleetHelperProgram {
  /// The argument that makes `locationd` run as the helper.
  static let argument = "fleet-helper"
  private static let file = "locationd-fleet-helper"

  static func run() throws(HelperProblem) {
    let own = ProcessEnvironment.executable ?? "/usr/bin/locationd"
    let folder = own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "/usr/bin"
    var missing: SystemError?
    // In a checkout, it is beside this program.
    for path in ["\(folder)/\(file)", "\(folder)/../libexec/\(file)", "/usr/libexec/\(file)"] {
      do throws(SystemError) {
        try ProgramReplacement.run(path, as: file)
      } catch {
        missing = error
      }
    }
    throw .system(operation: "run \(file)", errno: missing?.errno ?? 0)
  }
}
