/// Why a capture cannot be read on, and in which line.
package struct CaptureError: Error, Hashable, Sendable {
  /// Line number, from 1.
  package var line: Int
  /// What is wrong with it.
  package var problem: Problem

  init(line: Int, problem: Problem) {
    self.line = line
    self.problem = problem
  }

  /// What can be wrong with a line. `found` is printable and at most 40 characters.
  package enum Problem: Hashable, Sendable {
    /// The first line is not a capture's.
    case notACapture(found: String)
    /// A capture of another version.
    case unsupportedVersion(found: String)
    /// Something else stands where `expected` should.
    case expected(Expected, found: String)
    /// The line has no end within the limit.
    case lineTooLong(limit: Int)
    /// An arrival before that of the line above.
    case timeWentBackwards(microseconds: Int64, previous: Int64)
    /// The file ends within a line: what is above it stands.
    case truncated
  }

  /// What a place in a line must hold.
  package enum Expected: Hashable, Sendable {
    case microseconds
    case kind
    case source
    case escape
    case keyAndValue
    case valueOnce
    case devicePath
    case usbID
    case utf8
    case baud
    case utcTime
    case endOfLine
  }
}
