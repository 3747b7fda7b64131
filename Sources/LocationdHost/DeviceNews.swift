package import LocationIPC
package import LocationdService

/// What happens to devices and their ports, as it is logged: nothing of where anybody is.
package enum DeviceNews: Hashable, Sendable {
  case appeared(path: String)
  case vanished(path: String)
  case opened(path: String)
  case notOpened(path: String, OpenProblem)
  case closed(path: String)
  /// gpsd has let it go, or taken it up, or why it has not.
  case handedOver(path: String, to: DeviceOwner, HandoverProblem?)
  /// So many settings would not be put back; the next owner tries again.
  case leftChanged(path: String, settings: Int)
}
