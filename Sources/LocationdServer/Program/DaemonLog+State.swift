import LinuxIO
import LocationdConfiguration

/// Log lines about the state folder, for the administrator.
extension DaemonLog {
  func words(_ distrust: FolderExposure) -> String {
    switch distrust {
    case .foreign(let owner): "belongs to user \(owner)"
    case .writable(let mode): "can be written by others (mode \(String(mode, radix: 8)))"
    }
  }
}
