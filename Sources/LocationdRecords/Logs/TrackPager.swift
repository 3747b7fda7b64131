import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore

/// One client's reading of a track, page by page.
final class TrackPager: LogPaging {
  /// Maximum size of a page, bytes, with each entry counted as `entrySize` and its texts.
  private static let budget = 200_000
  /// Entries of a page that fits, whatever their texts are.
  static let entriesPerPage = budget / (entrySize + 2 * MessageLimits.text)
  /// Size of an entry without its texts, bytes.
  private static let entrySize = 170

  let client: ClientID
  /// Why the log is not recorded now.
  private let problem: LogProblem?
  private var reader: TrackReader

  init(_ reader: consuming TrackReader, problem: LogProblem?, for client: ClientID) {
    self.reader = reader
    self.problem = problem
    self.client = client
  }

  func next(at bookmark: LogRequest.Bookmark) -> (page: LogAnswer, isLast: Bool) {
    var (page, isLast) = nextPage()
    if !isLast { page.next = bookmark }
    return (.page(page), isLast)
  }

  private func nextPage() -> (page: LogPage, isLast: Bool) {
    var entries: [TrackEntry] = []
    var size = 0
    while entries.count < MessageLimits.entries, size < Self.budget {
      guard let entry = reader.next() else { return (page(entries), true) }
      entries.append(entry)
      size += Self.entrySize
      if case .fix(let fix) = entry {
        size +=
          min(fix.device?.utf8.count ?? 0, MessageLimits.text) + min(fix.receiver?.utf8.count ?? 0, MessageLimits.text)
      }
    }
    return (page(entries), false)
  }

  private func page(_ entries: [TrackEntry]) -> LogPage {
    let damage = reader.damage
    var page = LogPage(entries: entries, next: nil, damaged: damage.blocks + damage.segments + damage.files)
    page.problem = problem
    return page
  }
}
