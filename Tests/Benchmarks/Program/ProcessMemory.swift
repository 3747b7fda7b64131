import LinuxIO

/// The memory that this process has used.
enum ProcessMemory {
  struct NotTold: Error {}

  /// The peak resident size since the program was started (proc(5), VmHWM), in 10⁶ bytes. `getrusage` would also count the time
  /// before `exec`.
  static func peakMegabytes() throws -> Double {
    let file = try InputFile(path: "/proc/self/status")
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let text = String(decoding: buffer[..<(try file.read(into: &buffer))], as: UTF8.self)
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = line.split(separator: " ").dropLast().last.flatMap({ Double($0) })
    else { throw NotTold() }
    return kilobytes * 1024 / 1e6
  }
}
