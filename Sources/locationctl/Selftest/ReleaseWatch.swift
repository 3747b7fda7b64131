import LocationIPC

/// Waits until locationd has restored a receiver's settings and closed the receiver's port, which takes several seconds
/// after the last client that used the receiver has disconnected.
final class ReleaseWatch: CommandHandler {
  private static let patience = Duration.seconds(30)
  private static let interval = Duration.milliseconds(500)

  let session: CommandSession
  /// Whether the port is closed.
  private(set) var isReleased = false
  private let path: String?
  private var request: UInt32 = 0

  init(_ session: CommandSession, path: String?) { (self.session, self.path) = (session, path) }

  func start() {
    session.setTimer(after: Self.patience) { [unowned self] in session.finish(.done) }
    ask()
  }

  func receive(_ devices: [DeviceDescription], to request: RequestID) {
    guard !devices.contains(where: { $0.path == path && $0.state != .closed }) else {
      return session.setTimer(after: Self.interval) { [unowned self] in ask() }
    }
    isReleased = true
    session.finish(.done)
  }

  func receive(_ failure: LocationFailure, of request: RequestID) { session.finish(.done) }

  private func ask() {
    request += 1
    session.send(.devices, as: RequestID(request), for: self)
  }
}
