/// The lines for chrony that use the time of this service: a file of its folder `conf.d`.
package struct ChronySnippet: Hashable, Sendable {
  /// The socket at which chronyd receives the samples of messages. Its name is in the folder that chrony's AppArmor profile allows.
  package static let socketPath = "/run/chrony.locationd.sock"
  /// The file in which the lines are written.
  package static let fileName = "locationd.conf"
  /// chrony's name of the messages' time, at most four characters.
  package static let messageName = "GNSS"
  package static let pulseName = "PPS"

  /// The PPS device, for example `/dev/pps0`; `nil`: there are no pulses.
  package var pulseDevice: String?
  /// Twice the largest error of the messages' time, seconds. A smaller value than the real error makes chrony reject the source.
  package var delaySeconds: Double

  /// - Parameter uncertaintySeconds: of the receiver's delay. The default of a receiver that was never measured gives 0.2 s.
  package init(pulseDevice: String? = nil, uncertaintySeconds: Double = 0.1) {
    self.pulseDevice = pulseDevice
    delaySeconds = Self.delay(uncertaintySeconds: uncertaintySeconds)
  }

  /// The option `delay` for an uncertainty: at least 20 ms, at most 1 s, in steps of 10 ms.
  package static func delay(uncertaintySeconds: Double) -> Double {
    guard uncertaintySeconds.isFinite else { return 1 }
    return min(max((2 * uncertaintySeconds * 100 - 1e-6).rounded(.up) / 100, 0.02), 1)
  }

  /// The text of the file.
  package var text: String {
    let hundredths = Int((delaySeconds * 100).rounded())
    let delay = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    var lines = [
      "# Time from GNSS receivers, sent by locationd. See locationctl(1).",
      "refclock SOCK \(Self.socketPath) refid \(Self.messageName) poll 2 delay \(delay) precision 1e-3",
    ]
    if let pulseDevice {
      // The messages only number the seconds of the pulses.
      lines[1] += " noselect"
      lines.append("refclock PPS \(pulseDevice) lock \(Self.messageName) refid \(Self.pulseName)")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Whether a file contains what this type writes, for any device and delay: a file that somebody has changed is not replaced.
  package static func isOwn(_ text: String) -> Bool {
    let clocks = ChronyConfiguration(text).referenceClocks
    guard let delay = clocks.first?.values["delay"].flatMap(Double.init), delay.isFinite, (0...1).contains(delay) else {
      return false
    }
    var snippet = ChronySnippet(pulseDevice: clocks.count > 1 ? clocks[1].parameter : nil)
    snippet.delaySeconds = delay
    return snippet.text == text
  }
}
