import LinuxIO
import LocationdHost

/// The one line on a terminal's stderr that shows a waiting person how many items are done.
struct CountedProgress {
  private let noun: String
  private let total: Int
  private let isShown = Redrawing.isPossible

  init(_ noun: String, of total: Int) {
    self.noun = noun
    self.total = total
  }

  /// Tells that `count` are done.
  func show(_ count: Int) {
    guard isShown else { return }
    StandardError.write(Array("\r\(count) of \(total) \(noun)\u{1B}[K".utf8))
  }

  /// Takes the line away, so that what comes next starts at the margin.
  func clear() {
    guard isShown else { return }
    StandardError.write(Array("\r\u{1B}[K".utf8))
  }
}
