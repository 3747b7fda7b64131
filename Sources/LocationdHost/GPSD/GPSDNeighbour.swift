import Geodesy
import LinuxDevices
package import LinuxIO
package import LocationdService

/// Which receivers of this machine gpsd owns. A receiver that gpsd lists is gpsd's even while gpsd has it closed: if another
/// program opens it, gpsd 3.22 forgets the device, and 3.26 and later terminate.
package final class GPSDNeighbour {
  /// Called with every answer; the first comes at once if there is no gpsd, and within eight seconds of `ask` if gpsd is busy.
  var onChange: (() -> Void)?
  private(set) var devices: [GPSDDevice] = []
  /// The address of gpsd; `nil`: gpsd is ignored.
  let address: GPSDAddress?

  #if GPSD
    private let directory: GPSDDirectory?

    /// - Parameter address: `nil`: gpsd is ignored.
    package init(loop: EventLoop, address: GPSDAddress?) {
      self.address = address
      directory = address.map { address in
        GPSDDirectory(loop: loop, endpoint: GPSDEndpoint(address), isInsistent: false)
      }
      directory?.onChange = { [unowned self] found in
        devices = found ?? []
        onChange?()
      }
    }

    /// Whether a gpsd is running.
    package var isPresent: Bool { directory?.isPresent ?? false }

    func ask() {
      guard let directory else {
        onChange?()
        return
      }
      directory.ask()
    }
  #else
    init(loop: EventLoop, address: GPSDAddress?) { self.address = nil }
    var isPresent: Bool { false }
    func ask() { onChange?() }
  #endif

  /// The route to the device at `path` if gpsd owns it, under any name.
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
