import LinuxIO

/// Keeps the service's memory in the state folder. What cannot be read or written costs a slower start, never a failure.
struct MemoryFile {
  private let path: String

  /// The file in `folder`, which is made when there is something to keep.
  init(folder: String) { path = folder + "/memory" }

  func load() -> ServiceMemory {
    guard let bytes = try? StateFile.read(path, maximumSize: ServiceMemory.maximumFileSize) else {
      return ServiceMemory()
    }
    return ServiceMemory(text: String(decoding: bytes, as: UTF8.self))
  }

  /// Writes what is known, with what others have written since it was loaded.
  func save(_ memory: ServiceMemory) {
    var merged = memory
    merged.merge(load())
    try? StateFile.write(path, Array(merged.text.utf8))
  }
}
