import Glibc

/// The CPU time of this process, and that of a block of work.
enum ProcessTime {
  static func nanoseconds() -> Int64 {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// The median of `repetitions` runs, which must be an odd number.
  static func median(repetitions: Int = 7, _ work: () -> Void) -> Int64 {
    var times: [Int64] = []
    for _ in 0..<repetitions {
      let start = nanoseconds()
      work()
      times.append(nanoseconds() - start)
    }
    times.sort()
    return times[repetitions / 2]
  }

  /// The first line that a shell command prints; empty if it prints none.
  static func firstLine(of command: String) -> String {
    guard let pipe = unsafe popen(command, "r") else { return "" }
    defer { unsafe pclose(pipe) }
    var bytes: [UInt8] = []
    while case let byte = unsafe fgetc(pipe), byte != EOF, byte != 0x0A, bytes.count < 200 { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// User and system time of a program that reads a file and whose output is discarded; `nil` if it cannot be run.
  static func ofProgram(_ name: String, _ arguments: [String], input path: String) -> Int64? {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, path, O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([name] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process: pid_t = 0
    guard unsafe posix_spawnp(&process, name, &actions, nil, &words, environ) == 0 else { return nil }
    var status: CInt = 0
    var usage = rusage()
    guard unsafe wait4(process, &status, 0, &usage) == process, status == 0 else { return nil }
    func nanoseconds(_ time: timeval) -> Int64 { Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_usec) * 1000 }
    return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime)
  }
}
