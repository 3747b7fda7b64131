import BusMessages
import GeoClueBridge
import LinuxIO
import LocationIPC

/// The process of a connection to the bus, by the credentials that the bus has from the kernel.
struct BusCaller {
  let processID: Int32
  let userID: UInt32
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
  }

  func onBehalf(isReduced: Bool) -> BridgedCaller? {
    startTicks.map { BridgedCaller(processID: processID, userID: userID, startTicks: $0, isReduced: isReduced) }
  }

  /// The signal that a connection has ended.
  static func endRule(_ name: String) -> String {
    "type='signal',sender='\(SystemBusName.bus)',interface='\(SystemBusName.bus)',member='NameOwnerChanged',arg0='\(name)'"
  }

  /// The signal that an agent allows something else.
  static func agentRule(_ name: String) -> String {
    "type='signal',sender='\(name)',path='\(GeoClue.agentPath)',interface='\(StandardInterface.properties)'"
  }
}

private enum SystemBusName {
  static let bus = "org.freedesktop.DBus"
}
