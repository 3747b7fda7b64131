import Geodesy
import LinuxDevices
import LinuxIO
import LocationIPC
import TimeService

/// Sends samples to the clock daemons of the configuration: directly if this user may, otherwise through the privileged helper.
final class TimeSender {
  private let loop: EventLoop
  private let writer = SampleWriter()
  private let helper: TimeHelperLink
  private var settings = TimeSettings()
  /// The state of each sink, in the order in which it was first used.
  private(set) var reports: [TimeSinkReport] = []
  /// Sinks to which this user may not write: they get their samples through the helper.
  private var denied: Set<String> = []
  /// When a sample was last sent to any sink that takes it.
  private(set) var lastSentAt: Instant?
  /// A sink has got its first sample, or no longer gets any.
  var onChange: ((TimeSinkReport) -> Void)?

  /// More sinks than a configuration and the names of gpsd give for several receivers.
  private static let mostSinks = 32

  init(loop: EventLoop, helper: TimeHelperLink) { (self.loop, self.helper) = (loop, helper) }

  func apply(_ settings: TimeSettings) {
    guard settings.sinks != self.settings.sinks || settings.socket != self.settings.socket else { return }
    self.settings = settings
    reports = []
    denied = []
    lastSentAt = nil
  }

  /// - Parameter tty: the name of the receiver's port, for the sockets that chronyd has for gpsd.
  func send(_ sample: TimeSample, tty: String) {
    if settings.sinks.chrony {
      send(sample, to: sample.isPulse ? settings.pulseSocket : settings.socket, isRequired: !sample.isPulse)
      let folder = PrivateFolder.parent(of: settings.socket)
      send(sample, to: "\(folder)/chrony.\(sample.isPulse ? "" : "clk.")\(tty).sock", isRequired: false)
    }
    if let unit = settings.sinks.sharedMemoryUnit { send(sample, toUnit: sample.isPulse ? unit + 1 : unit) }
  }

  /// - Parameter isRequired: whether the status shows the socket even if there is none.
  private func send(_ sample: TimeSample, to path: String, isRequired: Bool) {
    guard !denied.contains(path) else { return order(.socket(path, sample), for: path) }
    do throws(SystemError) {
      try writer.send(sample, to: path)
      note(path, .receiving)
    } catch {
      if error.isPermission, TimeOrder.isSocketPath(path) {
        denied.insert(path)
        order(.socket(path, sample), for: path)
      } else if isRequired || reports.contains(where: { $0.name == path }) {
        note(path, Self.state(error.errno))
      }
    }
  }

  private func send(_ sample: TimeSample, toUnit unit: UInt8) {
    let name = "shm:\(unit)"
    guard ProcessEnvironment.isRoot else { return order(.sharedMemory(unit: unit, sample), for: name) }
    do throws(SystemError) {
      try writer.write(sample, toUnit: unit)
      note(name, .receiving)
    } catch {
      note(name, Self.state(error.errno))
    }
  }

  private func order(_ order: TimeOrder, for name: String) {
    helper.send(order) { [weak self] answer in
      guard let self else { return }
      guard case .sample(let errno)? = answer else { return note(name, .noHelper) }
      note(name, errno == 0 ? .receiving : Self.state(errno))
    }
  }

  private static func state(_ errno: Int32) -> TimeSinkReport.State {
    if errno == TimeAnswer.notInSettings { return .notInSettings }
    let error = SystemError(operation: "sendto", errno: errno)
    if error.isNoServerListening { return .absent }
    return error.isPermission ? .denied : .failed
  }

  private func note(_ name: String, _ state: TimeSinkReport.State) {
    if state == .receiving { lastSentAt = loop.now }
    if let index = reports.firstIndex(where: { $0.name == name }) {
      guard reports[index].state != state else { return }
      reports[index].state = state
    } else {
      guard reports.count < Self.mostSinks else { return }
      reports.append(TimeSinkReport(name: name, state: state))
    }
    onChange?(TimeSinkReport(name: name, state: state))
  }
}
