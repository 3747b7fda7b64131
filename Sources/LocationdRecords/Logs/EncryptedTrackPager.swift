import Geodesy
import LocationIPC
import LocationPolicy
import LocationStore

/// One client's reading of an encrypted track, page by page, without decrypting it.
final class EncryptedTrackPager: LogPaging {
  /// Maximum size of a page, bytes.
  private static let budget = 200_000

  let client: ClientID
  /// Why the log is currently not recorded.
  private let problem: LogProblem?
  private var reader: EncryptedTrackReader

  init(_ reader: consuming EncryptedTrackReader, problem: LogProblem?, for client: ClientID) {
    self.reader = reader
    self.problem = problem
    self.client = client
  }

  func next(at bookmark: LogRequest.Bookmark) -> (page: LogAnswer, isLast: Bool) {
    var page = EncryptedPage(pieces: [], next: bookmark)
    page.problem = problem
    var size = 0
    while page.pieces.count < MessageLimits.pieces, size < Self.budget {
      guard let piece = reader.next() else {
        page.next = nil
        break
      }
      page.pieces.append(piece)
      size += Self.size(of: piece)
    }
    return (.sealed(page), page.next == nil)
  }

  private static func size(of piece: EncryptedPiece) -> Int {
    switch piece {
    case .segment(let bytes), .blocks(_, let bytes): bytes.count + 16
    case .unreadable: 16
    }
  }
}
