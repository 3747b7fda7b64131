/// One stream of the service's, and who follows it.
struct SharedStream: Sendable {
  /// How it stands.
  enum Standing {
    case flowing
    /// No source is there, and why is being asked.
    case doubtful
    /// No source is there.
    case waiting
    /// No valid fix any more.
    case lost
    /// The service has stopped it until the process is in use.
    case paused

    /// What a newcomer has to know of it.
    var news: StreamNews? {
      switch self {
      case .flowing, .doubtful: nil
      case .waiting: .waiting
      case .lost: .lost
      case .paused: .paused
      }
    }
  }

  var request: RequestID
  let options: UpdateOptions
  var followers: [SharedStreams.Follower]
  var standing = Standing.flowing
}
