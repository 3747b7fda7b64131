import Geodesy
import Testing
import TimeService

/// The messages between the service and the process that may set the clock.
@Suite struct TimeOrderTests {
  private let sample = TimeSample(
    system: GNSSTime(nanosecondsSince1970: 1_800_000_000_123_456_789), offsetSeconds: -0.25, uncertaintySeconds: 0.1,
    isPulse: true, leap: .delete)

  @Test func ordersAndAnswersAreReadAsTheyWereWritten() throws {
    let orders: [TimeOrder] = [
      .socket("/run/chrony.locationd.sock", sample), .sharedMemory(unit: 3, sample), .circumstances,
      .setClock(.nanoseconds(-86_400_000_000_001)),
    ]
    for order in orders {
      #expect(order.encoded.count == TimeOrder.size)
      #expect(TimeOrder(order.encoded[...]) == order)
    }
    var known = ClockCircumstances()
    (known.isEnabled, known.hasActiveTimeService, known.wasSetSinceBoot) = (true, true, true)
    known.newestFileTime = GNSSTime(nanosecondsSince1970: 1_700_000_000_000_000_000)
    let answers: [TimeAnswer] = [
      .sample(errno: 0), .sample(errno: 111), .circumstances(known), .circumstances(ClockCircumstances()),
      .clock(.done), .clock(.failed(errno: 1)),
    ]
    for answer in answers + ClockRefusal.allCases.map({ .clock(.refused($0)) }) {
      #expect(answer.encoded.count == TimeAnswer.size)
      #expect(TimeAnswer(answer.encoded[...]) == answer)
    }
  }

  @Test func onlySocketsOfChronyAreWritten() {
    #expect(TimeOrder.isSocketPath("/run/chrony.clk.ttyACM0.sock"))
    for path in [
      "/run/chrony/../passwd.sock", "/run/chrony.a/b.sock", "/run/chrony..sock/", "/tmp/chrony.a.sock", "/run/chrony.a",
      "chrony.a.sock", "/run/chrony.\u{e4}.sock", "/run/chrony.\(String(repeating: "a", count: 60)).sock",
    ] {
      #expect(!TimeOrder.isSocketPath(path), "\(path)")
      var bytes = TimeOrder.socket("/run/chrony.a.sock", sample).encoded
      let path = Array(path.utf8.prefix(64))
      bytes[4] = UInt8(path.count)
      bytes.replaceSubrange(32..<32 + path.count, with: path)
      #expect(TimeOrder(bytes[...]) == nil)
    }
  }

  @Test func invalidBytesAreNoOrder() {
    #expect(TimeOrder([]) == nil)
    #expect(TimeOrder([UInt8](repeating: 0, count: TimeOrder.size)[...]) == nil)
    #expect(TimeAnswer([UInt8](repeating: 0xFF, count: TimeAnswer.size)[...]) == nil)
    var nan = sample
    nan.offsetSeconds = .nan
    #expect(TimeOrder(TimeOrder.sharedMemory(unit: 0, nan).encoded[...]) == nil)
  }
}

/// The values of the settings of time.
@Suite struct TimeSettingsTests {
  @Test func sinksAreRead() {
    #expect(TimeSinks("off") == .off)
    #expect(TimeSinks("chrony") == TimeSinks(chrony: true, sharedMemoryUnit: nil))
    #expect(TimeSinks("shm:2") == TimeSinks(chrony: false, sharedMemoryUnit: 2))
    #expect(TimeSinks("chrony, shm:0") == TimeSinks(chrony: true, sharedMemoryUnit: 0))
    for text in ["off", "chrony", "shm:2", "chrony,shm:0"] { #expect(TimeSinks(text)?.text == text) }
    for text in ["", "on", "chrony,chrony", "shm:255", "shm:-1", "shm:+1", "shm:", "chrony,", "off,chrony"] {
      #expect(TimeSinks(text) == nil, "\(text)")
    }
  }

  @Test func pulseDevicesAreRead() {
    #expect(PulseChoice("auto") == .automatic)
    #expect(PulseChoice("off") == .off)
    #expect(PulseChoice("/dev/pps0") == .device("pps0"))
    for text in ["", "pps", "/dev/ppsx", "/dev/tty0", "/dev/pps0000", "/dev/../pps0"] {
      #expect(PulseChoice(text) == nil, "\(text)")
    }
  }

  @Test func theSocketForPulsesIsBesideTheOther() {
    var settings = TimeSettings()
    #expect(settings.pulseSocket == "/run/chrony.locationd-pps.sock")
    settings.socket = "/run/other"
    #expect(settings.pulseSocket == "/run/other-pps")
  }
}
