import Geodesy
import LinuxDevices
import LinuxIO
import LocationdService

/// Which receivers of this machine gpsd owns. gpsd owns a receiver that it lists, even while it has it closed: if
/// another program opens the receiver, gpsd 3.22 forgets the device, and gpsd 3.26 and later terminate.
package final class GPSDOwnership {
  private unowned let observer: any OwnershipObserver
  private(set) var devices: [GPSDDevice] = []
  /// The address of gpsd; `nil` if gpsd is ignored.
  let address: GPSDAddress?

  #if GPSD
    private let loop: EventLoop
    private lazy var directory = address.map {
      GPSDDirectory(loop: loop, endpoint: GPSDEndpoint($0), isInsistent: false, observer: self)
    }

    /// - Parameter address: `nil` to ignore gpsd.
    init(loop: EventLoop, address: GPSDAddress?, observer: any OwnershipObserver) {
      (self.loop, self.address, self.observer) = (loop, address, observer)
    }

    /// Whether a gpsd is running.
    package var isPresent: Bool { directory?.isPresent ?? false }

    /// Requests gpsd's list; the observer receives the answer: at once if there is no gpsd, and within eight seconds if
    /// gpsd is busy.
    func ask() {
      guard let directory else { return observer.gpsdAnswered() }
      directory.ask()
    }
  #else
    init(loop: EventLoop, address: GPSDAddress?, observer: any OwnershipObserver) {
      (self.address, self.observer) = (nil, observer)
    }
    package var isPresent: Bool { false }
    func ask() { observer.gpsdAnswered() }
  #endif

  /// The route to the device at `path` if gpsd owns that device, under any name.
  func route(to path: String) -> GPSDRoute? {
    guard !devices.isEmpty else { return nil }
    let number = FileTree().deviceNumber(path)
    return devices.first { device in
      device.path == path || number != nil && FileTree().deviceNumber(device.path) == number
    }.flatMap(route)
  }

  func route(to device: GPSDDevice) -> GPSDRoute? {
    address.map { GPSDRoute(gpsd: $0, device: device.path) }
  }
}

#if GPSD
  extension GPSDOwnership: GPSDDirectoryObserver {
    func receive(_ found: [GPSDDevice]?) {
      devices = found ?? []
      observer.gpsdAnswered()
    }
  }
#endif
