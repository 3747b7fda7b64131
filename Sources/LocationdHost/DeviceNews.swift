package import LocationIPC
package import LocationdService

/// Events of devices and their ports, as they are logged; they never contain a position.
package enum DeviceNews: Hashable, Sendable {
  case appeared(path: String)
  case vanished(path: String)
  case opened(path: String)
  case notOpened(path: String, OpenProblem)
  case closed(path: String)
  /// gpsd has released or accepted the device, or the problem that prevented it.
  case handedOver(path: String, to: DeviceOwner, HandoverProblem?)
  /// The number of settings that the receiver did not accept when they were restored; the next owner tries again.
  case leftChanged(path: String, settings: Int)
}
