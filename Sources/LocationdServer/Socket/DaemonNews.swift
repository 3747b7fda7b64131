package import LocationIPC
package import LocationdHost
package import LocationdRecords

/// Events that a daemon logs: devices, clients and its own lifecycle; they never contain a position.
package enum DaemonNews: Hashable, Sendable {
  case listening(at: String, source: String)
  case clientJoined(name: String, processID: Int32?)
  /// `reason`: the daemon disconnected it; `nil`: the client disconnected.
  case clientLeft(name: String, processID: Int32?, Refusal?)
  case cannotAccept(String)
  case device(DeviceNews)
  case log(LogNews)
  case monitoring(MonitoringNews)
  case launch(LaunchNews)
  case access(AccessNews)
  /// A request was refused because a limit is reached.
  case reached(ServiceBound)
  case reloaded
  case stopping
  case ended
}
