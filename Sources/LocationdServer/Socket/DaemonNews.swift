package import LocationIPC
package import LocationdHost
package import LocationdRecords

/// What a daemon logs: devices, clients and its own life; never where anybody is.
package enum DaemonNews: Hashable, Sendable {
  case listening(at: String, source: String)
  case clientJoined(name: String, processID: Int32?)
  /// `reason`: it was let go; `nil`: it went.
  case clientLeft(name: String, processID: Int32?, Refusal?)
  case cannotAccept(String)
  case device(DeviceNews)
  case log(LogNews)
  case monitoring(MonitoringNews)
  case launch(LaunchNews)
  case access(AccessNews)
  /// Something was refused as there is as much of it as may be.
  case reached(ServiceBound)
  case reloaded
  case stopping
  case ended
}
