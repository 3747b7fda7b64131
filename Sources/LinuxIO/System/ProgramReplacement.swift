import Glibc

/// Runs another program in place of this one.
package enum ProgramReplacement {
  /// Does not return if it succeeds. The program gets this process's environment and descriptors.
  package static func run(_ path: String, _ arguments: [String]) throws(SystemError) {
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    try SystemCall.run("exec") { unsafe execv(path, &words) }
  }
}
