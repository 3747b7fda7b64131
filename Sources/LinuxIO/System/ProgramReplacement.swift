import Glibc

/// Another program in the place of this one.
package enum ProgramReplacement {
  /// Runs a program without arguments in this process, with its standard input, output and error; returns only by an error.
  ///
  /// - Parameters:
  ///   - path: the program's file.
  ///   - name: its `argv[0]`.
  package static func run(_ path: String, as name: String) throws(SystemError) -> Never {
    var words = unsafe [strdup(name), nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    _ = unsafe execv(path, &words)
    throw SystemError(operation: "execve", errno: errno)
  }
}
