import LocationIPC

extension MessageGenerator {
  mutating func timeReport() -> TimeReport {
    var report = TimeReport()
    report.receivers = list(upTo: 3) {
      var receiver = ReceiverTimeReport(device: $0.text(), state: $0.one(of: ReceiverTimeState.allCases))
      receiver.offsetSeconds = $0.maybe { $0.positive() }
      receiver.deviationSeconds = $0.maybe { $0.positive() }
      receiver.delaySeconds = -$0.positive()
      receiver.delayUncertaintySeconds = $0.positive()
      receiver.delayBasis = $0.one(of: DelayBasis.allCases)
      receiver.calibrationProgress = $0.positive()
      receiver.isCalibrating = $0.flag()
      receiver.pulse = $0.maybe { $0.text() }
      receiver.pulseProblems = PulseProblems(rawValue: UInt8($0.int(0...7)))
      receiver.samples = UInt64($0.int(0...1 << 50))
      receiver.leap = UInt8($0.int(0...2))
      return receiver
    }
    report.sinks = list(upTo: 3) {
      TimeSinkReport(name: $0.text(), state: $0.one(of: TimeSinkReport.State.allCases))
    }
    report.clock = maybe { $0.one(of: ClockSettingState.allCases) }
    return report
  }
}
