import ArgumentParser

/// A span of time on the command line: `FROM-TO` in seconds.
enum TimeSpan {
  static func parse(_ text: String) throws -> Range<Duration> {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let from = Double(parts[0]), let to = Double(parts[1]), from.isFinite, from >= 0, from < to,
      to <= Bounds.watch
    else { throw ValidationError("Give two numbers of seconds from the beginning, such as 60-120.") }
    return .seconds(from)..<(.seconds(to))
  }
}
