import Geodesy
import LinuxIO
import LocationPolicy
import LocationStore
import TestSupport

/// A recorder, a writer and a loop: the short form of what a service does with them.
final class TrackLogger {
  private let loop: EventLoop
  private var recorder: LogRecorder
  private var writer: TrackWriter
  private let period: Duration
  private var number: Int
  private var isOver = false

  init(folder: String, first: Int, period: Duration, pace: LogSyncPolicy, publicKey: LogPublicKey?) throws {
    loop = try EventLoop()
    recorder = LogRecorder(LogOptions(), pace: pace)
    var settings = TrackWriter.Settings(
      log: "killed", bootID: ProcessEnvironment.bootID, retention: .megabytes(1000))
    settings.publicKey = publicKey
    writer = try TrackWriter(folder: TrackFolder(folder), settings)
    self.period = period
    number = first
  }

  func run() throws {
    execute(recorder.handle(.begin(isResumption: number > 0), at: MonotonicClock.now()))
    logNext(at: MonotonicClock.now())
    _ = try loop.watch(0) { [unowned self] _ in loop.stop() }
    try loop.run()
  }

  private func logNext(at time: Instant) {
    // The fixes have their own clock, so that each follows from its number, independently of the machine's clock.
    execute(recorder.handle(.fix(LoggedDrive.fix(number)), at: time))
    number += 1
    if let due = recorder.nextDeadline, due <= MonotonicClock.now() {
      execute(recorder.handle(.wake, at: MonotonicClock.now()))
    }
    let next = time + period
    _ = loop.schedule(at: next) { [unowned self] in logNext(at: next) }
  }

  private func execute(_ actions: [LogRecorder.Action]) {
    for action in actions {
      do {
        switch action {
        case .append(let entry): try writer.append(entry)
        case .sync:
          try writer.sync()
          _ = StandardOutput.write(Array("synced \(number)\n".utf8))
        case .checkStorage, .close: break
        }
      } catch {
        _ = StandardError.write(Array("failed: \(error)\n".utf8))
        loop.stop()
      }
    }
  }
}
