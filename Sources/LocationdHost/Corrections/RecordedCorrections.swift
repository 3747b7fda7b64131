import Geodesy
import LinuxIO
import LocationIPC
import NetworkSources

/// Plays a file of RTCM 3 at its own pace, again and again.
final class RecordedCorrections: CorrectionStream {
  /// A longer file is refused, bytes.
  private static let longestFile = 16 << 20

  private let path: String
  private let loop: EventLoop
  private let pass: (RTCMFrame) -> Void
  private var frames: [RTCMFrame] = []
  private var next = 0
  private var pace = CorrectionPace()
  private var timer: TimerID?
  private(set) var problem: CorrectionStatus.Problem?
  private(set) var sentence: String?

  init(path: String, loop: EventLoop, _ pass: @escaping (RTCMFrame) -> Void) {
    (self.path, self.loop, self.pass) = (path, loop, pass)
  }

  var state: CorrectionStatus.State { problem == nil ? .streaming : .stopped }

  func begin(at fix: PositionFix?) {
    let bytes = (try? StateFile.read(path, maximumSize: Self.longestFile)) ?? []
    var framer = RTCMFramer()
    framer.push(bytes.span) { frames.append($0) }
    guard !frames.isEmpty else {
      problem = .badFile
      sentence = "The file \(path) cannot be read or contains no RTCM 3: check it."
      return
    }
    play()
  }

  private func play() {
    // At least a second for a round, so that a file without times does not flood a receiver.
    if next >= frames.count {
      (next, pace) = (0, CorrectionPace())
      return wait(.seconds(1))
    }
    let pause = pace.pause(before: frames[next])
    if pause > .zero { wait(pause) } else { send() }
  }

  private func wait(_ time: Duration) {
    let isRound = next == 0
    timer = loop.schedule(at: loop.now + time) { [unowned self] in
      timer = nil
      if isRound { play() } else { send() }
    }
  }

  private func send() {
    pass(frames[next])
    next += 1
    // Through the loop, so that a file without times leaves time for all else.
    timer = loop.schedule(at: loop.now) { [unowned self] in
      timer = nil
      play()
    }
  }

  func moved(to fix: PositionFix?) {}

  func close() {
    if let timer { loop.cancel(timer) }
    timer = nil
  }
}
