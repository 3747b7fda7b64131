import Geodesy

/// What is read on one connection to a caster.
struct NTRIPConnection: Sendable {
  let isVersion1: Bool
  var reply = CasterReplyReader()
  /// `nil`: the body is not in chunks.
  var chunks: ChunkReader?
  var framer = RTCMFramer()
  var reports: PositionReports
  /// The first bytes of the body, by which a list of mount points is recognized that is not marked as one.
  var beginning: [UInt8] = []
  var table = SourceTableReader()
  var near: NearestMounts
  private(set) var firstFrameAt: Instant?
  private(set) var lastFrameAt: Instant?
  private var noiseAtLastFrame: UInt64 = 0
  private var isProven = false

  init(
    _ configuration: CasterConfiguration, isVersion1: Bool, needsPosition: Bool, near position: Coordinate? = nil,
    at now: Instant
  ) {
    self.isVersion1 = isVersion1
    reports = PositionReports(configuration.positions, isNeeded: needsPosition, startedAt: now)
    near = NearestMounts(
      named: configuration.address.mount, near: position, limit: NTRIPSession.proposalCount)
  }

  /// Whether the caster has sent nothing since the last frame, apart from the rest of a head: at most 512 bytes outside
  /// of frames.
  var isSilent: Bool { framer.noiseCount + UInt64(framer.pendingByteCount) - noiseAtLastFrame <= 512 }

  /// Bytes since the last frame that belong to none.
  var noise: UInt64 { framer.noiseCount - noiseAtLastFrame }

  /// Call this for each complete frame. Returns `true` once: as soon as the connection has carried corrections for long
  /// enough to be a success.
  mutating func receivedFrame(at now: Instant) -> Bool {
    lastFrameAt = now
    noiseAtLastFrame = framer.noiseCount
    guard let firstFrameAt else {
      firstFrameAt = now
      return false
    }
    guard !isProven, now - firstFrameAt >= CasterBackOff.provenAfter else { return false }
    isProven = true
    return true
  }

  /// Which body begins with these bytes, if it is not corrections.
  enum Beginning {
    case table
    case page
  }

  /// The number of bytes that decide.
  static let beginningLength = 24

  var recognized: Beginning? {
    let text = beginning.drop { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }.map { ASCII.lowercased($0) }
    for word in ["str;", "cas;", "net;", "sourcetable", "endsourcetable"] where text.starts(with: word.utf8) {
      return .table
    }
    for word in ["<html", "<!doctype"] where text.starts(with: word.utf8) { return .page }
    return nil
  }
}
