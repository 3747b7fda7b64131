import BusMessages
import GeoClueBridge
import LinuxIO
import LocationIPC
import SystemBus

/// The process of a connection to the bus, by the credentials that the bus has from the kernel.
struct BusCaller {
  let processID: Int32
  let userID: UInt32
  /// Whether it is in a Flatpak, a Snap or a container, by its control group; `true` if that is not known.
  let isSandboxed: Bool
  /// When the process started; `nil`: it has ended, or has changed its user, and is not served.
  private let startTicks: Int64?

  /// - Parameter credentials: those of `GetConnectionCredentials`. `nil`: they do not name a process.
  init?(_ credentials: [String: BusValue]) {
    guard case .uint32(let process)? = credentials["ProcessID"], case .uint32(let user)? = credentials["UnixUserID"],
      let processID = Int32(exactly: process), processID > 0
    else { return nil }
    self.processID = processID
    userID = user
    startTicks = (try? ProcessRecord.read(processID, of: user))?.startTicks
    let group = try? StateFile.read("/proc/\(processID)/cgroup", maximumSize: 65_536)
    isSandboxed = group.map { ControlGroup($0).sandbox != nil } ?? true
  }

  func onBehalf(isReduced: Bool) -> BridgedCaller? {
    startTicks.map { BridgedCaller(processID: processID, userID: userID, startTicks: $0, isReduced: isReduced) }
  }

  /// The signals that a connection has ended, and that an agent allows something else. There is one rule for all connections: the bus
  /// limits the number of rules, and a user must not be able to use them up.
  static let rules = [
    "type='signal',sender='\(SystemBus.busName)',interface='\(SystemBus.busName)',member='NameOwnerChanged',arg2=''",
    "type='signal',path='\(GeoClue.agentPath)',interface='\(StandardInterface.properties)',member='PropertiesChanged'",
  ]
}
