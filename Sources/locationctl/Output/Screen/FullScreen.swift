import Geodesy
import LinuxIO

/// A picture on the whole terminal, which is redrawn when its contents change, and once a second while it shows ages.
/// The terminal is restored when the command leaves the screen, is suspended or is ended by a signal.
final class FullScreen {
  /// The lines of a picture, at most as many as there are rows, and whether they contain ages.
  typealias Picture = (lines: [String], showsAge: Bool)

  private static let period: Duration = .seconds(1)

  private unowned let session: CommandSession
  private let picture: (_ columns: Int, _ rows: Int) -> Picture
  private var frame = ScreenFrame()
  private let keys = KeyInput()
  private var isEntered = false
  private var isOver = false
  private var tick: TimerID?
  private var keyWatch: WatchID?

  /// - Parameter picture: draws a picture for a terminal of this size.
  init(_ session: CommandSession, picture: @escaping (_ columns: Int, _ rows: Int) -> Picture) {
    (self.session, self.picture) = (session, picture)
    session.onLeavingScreen = { [weak self] in self?.end() }
    session.onSuspend { [weak self] in self?.leave() }
    session.onTerminalChange { [weak self] _ in
      guard let self, isShown else { return }
      frame.forget()
      redraw()
    }
  }

  /// Whether a picture has been drawn and `end` has not been called.
  private(set) var isShown = false

  /// Draws the changes. Draws nothing while the process is in the background.
  func redraw() {
    tick.map(session.loop.cancel)
    tick = nil
    guard !isOver, !session.isOver, Terminal.isInForeground(1) else { return }
    let size = Terminal.size(1) ?? (80, 24)
    let picture = picture(size.columns, size.rows)
    if picture.showsAge {
      tick = session.loop.schedule(at: MonotonicClock.now() + Self.period) { [weak self] in self?.redraw() }
    }
    // If the terminal is slow or stopped, skip this picture.
    guard StandardOutput.isReady else { return }
    let opening = enter()
    isShown = true
    guard StandardOutput.write(opening + frame.bytes(picture.lines)) != .written else { return }
    // The terminal is gone.
    session.finish(.hungUp)
  }

  /// Restores the terminal permanently.
  func end() {
    leave()
    isOver = true
    isShown = false
  }

  private func enter() -> [UInt8] {
    guard !isEntered else { return [] }
    isEntered = true
    frame.forget()
    if let keys {
      keys.begin()
      // In the background, reading would stop this process; therefore the keys are watched only from now on.
      keyWatch = try? session.loop.watch(StandardInput.descriptor) { [weak self] _ in self?.readKeys() }
    }
    return ScreenFrame.enter
  }

  private func leave() {
    tick.map(session.loop.cancel)
    tick = nil
    guard isEntered else { return }
    isEntered = false
    keyWatch.map(session.loop.unwatch)
    keyWatch = nil
    // If the terminal is gone, there is nothing to restore.
    _ = StandardOutput.write(ScreenFrame.leave)
    keys?.restore()
  }

  private func readKeys() {
    var buffer = [UInt8](repeating: 0, count: 256)
    guard case .bytes(let count) = StandardInput.read(into: &buffer) else { return }
    if buffer[..<count].contains(where: { $0 | 0x20 == UInt8(ascii: "q") }) { session.finish(.done) }
  }
}
