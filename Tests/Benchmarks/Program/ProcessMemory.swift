import LinuxIO

/// What this process has taken of memory.
enum ProcessMemory {
  struct NotTold: Error {}

  /// The most that was resident since the program was started (proc(5), VmHWM), 10⁶ bytes. `getrusage` counts what the process was
  /// before that, too.
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
