/// A command as its user has noted it: what `/bin/sh -c` is to run, and how long it may.
package struct NotedCommand: Hashable, Sendable {
  /// The text, bytes without a NUL.
  package let text: String
  /// How long it may run.
  package let budgetSeconds: Int

  package static let budgets = 1...300
  package static let usualBudget = 10
  /// Bytes.
  package static let longestText = 16 * 1024

  /// `nil`: no text, one that is too long or has a NUL in it, or another budget than there are.
  package init?(_ text: String, budgetSeconds: Int = usualBudget) {
    guard !text.isEmpty, text.utf8.count <= Self.longestText, !text.utf8.contains(0),
      Self.budgets.contains(budgetSeconds)
    else { return nil }
    (self.text, self.budgetSeconds) = (text, budgetSeconds)
  }

  /// ```
  /// locationd-command 1
  /// BUDGET
  /// TEXT, to the end
  /// ```
  var bytes: [UInt8] { Array("\(Self.heading)\n\(budgetSeconds)\n\(text)".utf8) }

  /// Bytes of the longest file.
  static let longestFile = heading.utf8.count + longestText + 5

  private static let heading = "locationd-command 1"

  /// `nil`: it is not exactly what `bytes` gives.
  init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count == 3, lines[0].elementsEqual(Self.heading.utf8),
      let budget = Int(String(decoding: lines[1], as: UTF8.self)), lines[1].elementsEqual("\(budget)".utf8),
      let text = String(validating: lines[2], as: UTF8.self)
    else { return nil }
    self.init(text, budgetSeconds: budget)
  }
}
