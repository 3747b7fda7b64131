import CoreLocation

/// CLOCK_MONOTONIC, which Python's `time.monotonic()` reads too, nanoseconds.
func monotonicNanoseconds() -> Int {
  var now = timespec()
  _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
  return now.tv_sec * 1_000_000_000 + now.tv_nsec
}

/// Milliseconds since 1970, which name an epoch.
func epoch(_ date: Date) -> Int { Int((date.timeIntervalSince1970 * 1000).rounded()) }

/// One line at once, whoever reads.
func say(_ words: String) { FileHandle.standardOutput.write(Data((words + "\n").utf8)) }
