import Geodesy
package import LocationIPC
package import LocationPolicy
package import LocationdService

/// The clients of a service: receives each event for one of them.
package protocol ServiceClients: AnyObject {
  /// Sends an event to a client, as far as the client has access to it.
  func send(_ event: ServiceEvent, to client: ClientID)
}

/// The process around a service.
package protocol ServiceHost: AnyObject {
  /// Called when a turn of the service is complete, and all its events were sent.
  func turnEnded()
  /// Adds the host's part to the service's status.
  func describe(_ status: inout ServiceStatus)
}

/// The parts of a service outside its runner: receives the events that concern no single client.
package protocol ServiceObserver: AnyObject {
  func receive(_ fix: MonitoringFix)
  func receive(_ event: DeviceEvent)
  /// Adds the state of these parts to the service's status.
  func describe(_ status: inout ServiceStatus)
}

/// The parts of a source that execute the core's actions; `nil` if this kind of source lacks the part.
package protocol ServicePorts: AnyObject {
  var links: (any PortDriver)? { get }
  var administration: (any DeviceAdministration)? { get }
  var wifi: WiFiSource? { get }
  var corrections: CorrectionSource? { get }
  /// The time for the machine's clocks; `nil`: this service gives none.
  var time: TimeFeed? { get }
}

/// Executes decisions about the machine's devices.
package protocol DeviceAdministration: AnyObject {
  var ownership: DeviceOwnership { get }
  /// Stores whether a device is trusted; returns a failure, or `nil`.
  func changeTrust(of id: String, to isTrusted: Bool) -> LocationFailure?
  /// Changes a device's owner, then calls `answer` with a failure, or with `nil`.
  func setOwner(_ owner: DeviceOwner, of device: DetectedDevice, _ answer: @escaping (LocationFailure?) -> Void)
}
