import LinuxIO

/// The one line on a terminal's stderr that shows how many items are done.
struct CountedProgress {
  private let noun: String
  private let total: Int
  private let isShown = Redrawing.isPossible

  init(_ noun: String, of total: Int) {
    self.noun = noun
    self.total = total
  }

  /// Reports that `count` items are done.
  func show(_ count: Int) {
    guard isShown else { return }
    StandardError.write(Array("\r\(count) of \(total) \(noun)\u{1B}[K".utf8))
  }

  /// Erases the line, so that the next output starts at the margin.
  func clear() {
    guard isShown else { return }
    StandardError.write(Array("\r\u{1B}[K".utf8))
  }
}
