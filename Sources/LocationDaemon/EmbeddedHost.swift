// Stub, replaced on merge: the seam that the command line is written against, with just enough behind it to run.
import Geodesy
import Glibc
package import LocationIPC

package enum HostError: Error, Hashable, Sendable {
  /// There is no such file to replay.
  case noSuchFile(path: String)
  /// The file to replay is no capture, NMEA or UBX log, or may not be read; why, in words.
  case badFile(path: String, reason: String)
  case system(operation: String, errno: Int32)
}

package final class EmbeddedHost {
  package var onEvent: ((ServiceEvent) -> Void)?
  package var onSignal: ((Int32) -> Void)?
  private var onClosed: (() -> Void)?
  private var isStopped = false
  private var timers: [(at: UInt64, body: () -> Void)] = []
  private let source: SourceSelection
  private var now: UInt64 { clock_gettime_nsec_np() }

  package init(source: SourceSelection, realtime: Bool = true) throws(HostError) {
    self.source = source
    if case .replay(let path) = source {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { throw .noSuchFile(path: path) }
      guard status.st_mode & S_IFMT == S_IFREG else { throw .badFile(path: path, reason: "it is no file") }
      throw .badFile(path: path, reason: "it holds no NMEA and no UBX")
    }
  }

  package func send(_ request: ClientRequest) {
    setTimer(after: .zero) { [self] in
      switch request {
      case .locate(let id, _):
        source == .simulator
          ? onEvent?(.located(id, fix, age: .milliseconds(12), isCached: false)) : onEvent?(.failed(id, .noSource))
      case .startUpdates(let id, _):
        guard source == .simulator else { return onEvent?(.failed(id, .noSource)) ?? () }
        onEvent?(.streamChanged(id, .lost))
        onEvent?(.streamChanged(id, .back))
        tick(id)
      case .listDevices(let id): onEvent?(.devices(id, []))
      case .trustDevice(let id, let name), .forgetDevice(let id, let name):
        onEvent?(.failed(id, .unknownDevice(selector: name, known: [])))
      case .cancel: break
      }
    }
  }
  private func tick(_ id: RequestID) {
    onEvent?(.update(id, fix, age: .milliseconds(8)))
    setTimer(after: .milliseconds(200)) { [self] in tick(id) }
  }
  private var fix: PositionFix {
    var fix = PositionFix(
      time: GNSSTime(nanosecondsSince1970: 1_700_000_000_000_000_000), timeValidity: .confirmed,
      receivedAt: Instant(nanoseconds: 0),
      coordinate: Coordinate(latitude: Angle(degrees: 48.1173), longitude: Angle(degrees: 11.5166667)),
      horizontalRadius68: Meters(2.5), kind: .threeDimensional, technologies: .gnss)
    fix.isSimulated = true
    fix.device = "simulator"
    return fix
  }

  package func onOutputClosed(_ body: @escaping () -> Void) { onClosed = body }
  package func stop() { isStopped = true }
  package func setTimer(after: Duration, _ body: @escaping () -> Void) {
    timers.append((now &+ UInt64(clamping: after.wholeNanoseconds), body))
  }
  package func run() {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGINT)
    unsafe sigaddset(&set, SIGTERM)
    unsafe sigprocmask(SIG_BLOCK, &set, nil)
    while !isStopped {
      let time = now
      let due = timers.filter { $0.at <= time }
      timers.removeAll { $0.at <= time }
      for timer in due where !isStopped { timer.body() }
      if isStopped { return }
      let wait = min(50_000_000, (timers.map(\.at).min() ?? .max) &- min(now, timers.map(\.at).min() ?? 0))
      var timeout = timespec(tv_sec: 0, tv_nsec: Int(wait))
      let signal = unsafe sigtimedwait(&set, nil, &timeout)
      if signal > 0 { onSignal?(signal) }
      var descriptor = pollfd(fd: 1, events: 0, revents: 0)
      if unsafe poll(&descriptor, 1, 0) > 0, descriptor.revents & Int16(POLLERR) != 0 { onClosed?() }
    }
  }
}

private func clock_gettime_nsec_np() -> UInt64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_BOOTTIME, &time)
  return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
}
