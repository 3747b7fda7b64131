/// The bounds of everything that crosses the socket.
package enum MessageLimits {
  /// The largest payload of a client, bytes: the border of a region has up to 4096 corners.
  package static let request = 73_728
  /// The largest payload of the service, bytes: every list full of the longest texts.
  package static let event = 524_288
  /// The longest text, bytes of UTF-8; longer ones are cut when they are written.
  package static let text = 200
  /// Most devices, and names of devices, in a list.
  package static let devices = 64
  /// Most bounds in a list.
  package static let bounds = 32
  /// Most clients in a list.
  package static let clients = 256
  /// Most logs in a list.
  package static let logs = 128
  /// Most entries of a track in a page; with the longest texts fewer fit (`TrackReading`).
  package static let entries = 2048
  /// Most grants, and questions, in a list.
  package static let (grants, questions) = (512, 128)
  /// Most descriptions of purposes for which a client wants full accuracy.
  package static let purposes = 16
  /// Most access points in a list, and places of such in a request.
  package static let (accessPoints, placesAdded) = (1024, 240)
  /// Most regions in a request, or in a page; lists of what is monitored; visits in a page.
  package static let (regions, monitoringLists, visits) = (1024, 256, 1024)
  /// As many bytes of regions go into one request, or one page, unless a single one is larger.
  package static let regionBytes = 60_000
  /// Most pieces of a sealed track in a page.
  package static let pieces = 256
  /// Most signals of a satellite.
  package static let signals = 16
  /// Most speeds in a failure.
  package static let speeds = 32
}
