import CoreLocation

/// The time of CLOCK_MONOTONIC, which Python's `time.monotonic()` also reads, in nanoseconds.
func monotonicNanoseconds() -> Int {
  var now = timespec()
  _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
  return now.tv_sec * 1_000_000_000 + now.tv_nsec
}

/// Milliseconds since 1970, which identify an epoch.
func epoch(_ date: Date) -> Int { Int((date.timeIntervalSince1970 * 1000).rounded()) }

/// Writes one line immediately, without a buffer, also into a pipe.
func say(_ words: String) { FileHandle.standardOutput.write(Data((words + "\n").utf8)) }
