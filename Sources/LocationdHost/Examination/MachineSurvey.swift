package import Diagnosis
import LinuxDevices
import LinuxIO
package import LocationdService

/// Examines the machine for a diagnosis: its ports, its power, its clock, its folders. Opens no device.
package enum MachineSurvey {
  /// The facts about the machine; `source` is the source that was to provide a position.
  package static func facts(for source: SourceSelection) -> MachineFacts {
    let state = Directories.state(environment: ProcessEnvironment.value, isRoot: ProcessEnvironment.isRoot)
    var named: String?
    switch source {
    case .serial(let path, _): named = path
    case .receiver(let receiver): named = receiver.port
    case .automatic, .replay, .gpsd, .network, .wifi, .simulator, .daemon: break
    }
    return MachineReader().facts(
      devices: devices, trusting: state.map { DeviceListStore(.trusted, folder: $0).load() } ?? DeviceList(),
      named: named,
      stateFolder: state, clock: WallClock.now(), builtOn: BuildDate.date)
  }

  /// Whether there is a device node at this path.
  package static func hasPort(_ path: String) -> Bool { FileTree().deviceNumber(path) != nil }

  /// Whether a process is a daemon of this software, judged by its name.
  package static func isDaemon(_ process: Int32) -> Bool { MachineReader().isDaemon(process) }

  /// The process that has a port open; `nil` if there is none, or if this user has no access to that information.
  package static func program(holding path: String) -> (name: String, pid: Int32)? {
    guard case .process(let pid, let name)? = PortHolderFinder().process(holding: path) else { return nil }
    return (name, pid)
  }

  /// The names of the machine's PPS devices: `pps0`.
  package static var pulseDevices: [String] { PulseDevices().names }

  /// The machine, for a report; contains nothing that identifies this machine.
  package static var system: SystemFacts { SystemReader().facts }

  /// The current load of the machine and of a process.
  package static func load(of process: Int32) -> SystemSample { SystemReader().sample(of: process) }

  /// An inventory that cannot be read counts as empty.
  private static var devices: [SerialDevice] {
    guard var inventory = try? DeviceInventory() else { return [] }
    _ = inventory.rescan()
    return inventory.devices
  }
}

extension Subject {
  /// The subject of a diagnosis for a source.
  package init(_ source: SourceSelection) {
    switch source {
    case .automatic, .network, .wifi, .daemon: self = .automatic
    case .serial(let path, _): self = .port(path)
    case .receiver(let receiver): self = receiver.port.map { .port($0) } ?? .automatic
    case .gpsd: self = .gpsd
    case .replay: self = .recording
    case .simulator: self = .simulator
    }
  }
}
