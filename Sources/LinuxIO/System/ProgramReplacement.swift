import Glibc

/// Another program in the place of this one.
package enum ProgramReplacement {
  /// Runs a program in this process, with its environment, its descriptors and its standard input, output and error; returns only
  /// by an error.
  ///
  /// - Parameters:
  ///   - path: the program's file.
  ///   - name: its `argv[0]`; `nil`: the path.
  package static func run(_ path: String, as name: String? = nil, _ arguments: [String] = []) throws(SystemError)
    -> Never
  {
    var words = unsafe ([name ?? path] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    _ = unsafe execv(path, &words)
    throw SystemError(operation: "execve", errno: errno)
  }
}
