import LocationIPC
import LocationdService

/// One client's reading of a log, page by page.
protocol LogPaging: AnyObject {
  var client: ClientID { get }

  /// The next page, the bookmark of the page that follows, and whether this page is the last.
  func next(at bookmark: LogRequest.Bookmark) -> (page: LogAnswer, isLast: Bool)
}
