import Geodesy
import LinuxDevices
package import LinuxIO
package import LocationdService

/// Which receivers of this machine are gpsd's. A receiver that gpsd lists is gpsd's even while it has it closed: where
/// another program opens it, gpsd 3.22 forgets the device, and 3.26 and later end.
package final class GPSDNeighbour {
  /// Called with every answer; the first comes at once where there is no gpsd, and within eight seconds of `ask` where
  /// there is one that is busy.
  var onChange: (() -> Void)?
  private(set) var devices: [GPSDDevice] = []
  /// Where it is looked for; `nil` where gpsd is left out of account.
  let address: GPSDAddress?

  #if GPSD
    private let directory: GPSDDirectory?

    /// `address`: `nil` where gpsd is to be left out of account.
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

    /// Whether a gpsd is there.
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

  /// The way to the device at `path` where it is gpsd's, under whatever name.
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
