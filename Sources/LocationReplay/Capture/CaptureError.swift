/// Why a capture cannot be read further, and in which line.
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
    /// The first line is not that of a capture.
    case notACapture(found: String)
    /// A capture of another version.
    case unsupportedVersion(found: String)
    /// The line contains something else where `expected` is required.
    case expected(Expected, found: String)
    /// The line has no end within the limit.
    case lineTooLong(limit: Int)
    /// An arrival time before that of the previous record.
    case timeWentBackwards(microseconds: Int64, previous: Int64)
    /// The file ends within a line; the lines above it are valid.
    case truncated
  }

  /// The required content of a part of a line.
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

extension CaptureError: CustomStringConvertible {
  /// One sentence for people.
  package var description: String { "line \(line): \(problem)" }
}

extension CaptureError.Problem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notACapture(let found):
      "expected \"swift-corelocation capture \(CaptureFormat.version)\", found \"\(found)\""
    case .unsupportedVersion(let found):
      "expected a capture of version \(CaptureFormat.version), found version \"\(found)\""
    case .expected(let expected, let found): "expected \(expected), found \"\(found)\""
    case .lineTooLong(let limit): "expected a line of at most \(limit) bytes, found a longer one"
    case .timeWentBackwards(let microseconds, let previous):
      "expected a time of \(previous) µs or later, found \(microseconds)"
    case .truncated: "the file ends within this line"
    }
  }
}

extension CaptureError.Expected: CustomStringConvertible {
  package var description: String {
    switch self {
    case .microseconds: "microseconds since the start"
    case .kind: "one of " + CaptureEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
    case .source: "a source number 0…\(CaptureFormat.highestSource)"
    case .escape: #"printable ASCII or one of \r \n \\ \xHH"#
    case .keyAndValue: "KEY=VALUE"
    case .valueOnce: "each key once"
    case .devicePath: "path=…"
    case .usbID: "a USB id such as 1546:01a8"
    case .utf8: "UTF-8 text"
    case .baud: "a baud rate"
    case .utcTime: "a UTC time such as 2026-08-01T12:00:00Z"
    case .endOfLine: "the end of the line"
    }
  }
}
