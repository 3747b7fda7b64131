package import Geodesy
import LinuxIO
package import LocationdService

/// Keeps the service's memory in the state folder. What cannot be read or written costs a slower start, never a failure.
package struct MemoryFile {
  private let path: String

  /// The file in `folder`, which is made when there is something to keep.
  package init(folder: String) { path = folder + "/memory" }

  /// What was kept, without what lies in the future of `present`; `nil`: nobody knows what time it is.
  package func load(present: GNSSTime?) -> ServiceMemory {
    guard let bytes = try? StateFile.read(path, maximumSize: ServiceMemory.maximumFileSize) else {
      return ServiceMemory()
    }
    var memory = ServiceMemory(text: String(decoding: bytes, as: UTF8.self))
    if let present { memory.forgetFuture(of: present) }
    return memory
  }

  /// Writes what is known, with what others have written since it was loaded.
  package func save(_ memory: ServiceMemory, present: GNSSTime?) {
    var merged = memory
    merged.merge(load(present: present))
    try? StateFile.write(path, Array(merged.text.utf8), waitsForDisk: false)
  }
}
