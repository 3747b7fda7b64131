package import Geodesy
import LinuxIO
package import LocationdService

/// Stores the service's memory in the state folder. A read or write failure costs a slower start, and is not reported.
package struct MemoryFile {
  private let path: String

  /// The file in `folder`, which is created with the first save.
  package init(folder: String) { path = folder + "/memory" }

  /// The stored memory. If `present` is known, times far ahead of it are removed (`ServiceMemory.forgetFuture`).
  package func load(present: GNSSTime?) -> ServiceMemory {
    guard let bytes = try? StateFile.read(path, maximumSize: ServiceMemory.maximumFileSize) else {
      return ServiceMemory()
    }
    var memory = ServiceMemory(text: String(decoding: bytes, as: UTF8.self))
    if let present { memory.forgetFuture(of: present) }
    return memory
  }

  /// Writes the memory, merged with what other processes have written since it was loaded.
  package func save(_ memory: ServiceMemory, present: GNSSTime?) {
    var merged = memory
    merged.merge(load(present: present))
    try? StateFile.write(path, Array(merged.text.utf8), waitsForDisk: false)
  }
}
