import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore

/// One client's reading of a track, page by page.
final class TrackPager: LogPaging {
  let client: ClientID
  /// Why the log is currently not recorded.
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
    var entries = PageEntries()
    while !entries.isFull {
      guard let entry = reader.next() else { return (page(entries), true) }
      entries.append(entry)
    }
    return (page(entries), false)
  }

  private func page(_ entries: PageEntries) -> LogPage {
    let damage = reader.damage
    var page = LogPage(entries: entries.list, next: nil, damaged: damage.blocks + damage.segments + damage.files)
    page.problem = problem
    return page
  }
}

/// The entries of a page, as many as fit in a message.
struct PageEntries {
  /// Maximum size of a page, bytes; each entry counts as `entrySize` and the length of its texts.
  private static let budget = 200_000
  /// Size of an entry without its texts, bytes.
  private static let entrySize = 170

  private(set) var list: [TrackEntry] = []
  private var size = 0

  var isFull: Bool { list.count >= MessageLimits.entries || size >= Self.budget }

  mutating func append(_ entry: TrackEntry) {
    list.append(entry)
    size += Self.entrySize
    guard case .fix(let fix) = entry else { return }
    for text in [fix.device, fix.receiver] { size += min(text?.utf8.count ?? 0, MessageLimits.text) }
  }
}
