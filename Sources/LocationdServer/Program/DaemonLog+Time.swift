import Geodesy
import LinuxIO
import LocationIPC
import LocationdConfiguration
import LocationdHost
import TimeService

/// The lines about the time for clocks.
extension DaemonLog {
  func write(_ event: TimeEvent) {
    switch event {
    case .sink(let sink): write(sink)
    case .pulses(.found(let finding), let path):
      line(.warning, "\(clean(path)): \(words(finding)). 'locationctl doctor' says what to do.")
    case .pulses(.cleared(let finding), let path): line(.info, "\(clean(path)): this has ended: \(words(finding)).")
    case .clockSet(let change):
      line(.notice, "The system's clock was set by a receiver, from \(text(change.from)) to \(text(change.to)).")
    case .clockNotSet(let refusal): line(.warning, "The system's clock was not set: \(words(refusal)).")
    case .clockFailed(let errno):
      line(.error, "The system's clock cannot be set (\(ErrorDescription.of(errno))).")
    case .clockNotSettable(let hasHelper):
      line(
        .warning,
        "The system's clock is not set, although set-clock is on: "
          + (hasHelper ? "its helper has no right to do so" : "its helper does not answer")
          + ". Run 'sudo locationctl time set-clock on'.")
    }
  }

  private func write(_ sink: TimeSinkReport) {
    switch sink.state {
    case .receiving: line(.info, "\(clean(sink.name)) gets the time of the receivers.")
    // Without chronyd, or before it starts, that is normal.
    case .absent: line(.info, "There is no socket \(clean(sink.name)): no time is sent to chronyd until it exists.")
    case .denied:
      line(
        .warning,
        "The user of locationd may not write to \(clean(sink.name)): start location-time.socket, or run locationd as root."
      )
    case .noHelper:
      line(.warning, "The helper for \(clean(sink.name)) does not answer: start location-time.socket.")
    case .failed: line(.warning, "No time can be sent to \(clean(sink.name)).")
    case .notInSettings:
      line(
        .warning,
        "The helper sends no time to \(clean(sink.name)): set 'time' and 'time-socket' in locationd.conf, which it reads, and not as a variable of locationd.service."
      )
    case .unused: break
    }
  }

  private func words(_ finding: PulseFinding) -> String {
    switch finding {
    case .pulseWithoutLock: "pulses arrive although the receiver has no fix"
    case .lockWithoutPulse: "the receiver has a fix, and no pulse arrives"
    case .pulseOffSecond: "the pulses do not mark the seconds of the receiver's messages"
    }
  }

  private func words(_ refusal: ClockRefusal) -> String {
    switch refusal {
    case .disabled: "set-clock is off"
    case .alreadySet: "it has already been set since boot"
    case .leftToChrony: "chrony is installed"
    case .keptByOther: "another service keeps it"
    case .interference: "interference is suspected"
    case .smallError: "it is right to within 2 s"
    case .tooFarBack: "it is more than a day ahead of the receiver"
    case .implausible: "the receiver's time is certainly wrong"
    }
  }

  /// Whole seconds, as in `2026-11-24T12:00:00Z`.
  func text(_ time: GNSSTime) -> String {
    guard let date = time.date else { return "an unknown time" }
    let seconds = time.nanosecondsSinceMidnight / 1_000_000_000
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return
      "\(date.year)-\(two(Int64(date.month)))-\(two(Int64(date.day)))T\(two(Int64(hour))):\(two(Int64(minute))):\(two(Int64(second)))Z"
  }
}
