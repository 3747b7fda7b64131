import TestSupport
import Testing

/// How commands end when they are interrupted, with a simulated receiver behind the real serial driver.
@Suite struct EndingTests {
  private func shell(_ script: String) throws -> ProgramRun {
    try ProgramRun(
      ["-c", "set -u -o pipefail; \(script)"], of: "/bin/bash", environment: ["LOCATIONCTL": ProgramRun.locationctl])
  }

  @Test func ctrlCEndsAStreamCleanly() throws {
    let run = try shell("timeout --preserve-status --signal=INT 2 \"$LOCATIONCTL\" watch --source simulator")
    #expect(run.status == 130)
    #expect(run.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    #expect(run.output.contains("\"simulated\":true"))
    #expect(run.errors == "")
  }

  @Test func terminationEndsARequest() throws {
    let run = try shell(
      "timeout --preserve-status --signal=TERM 1 \"$LOCATIONCTL\" fix --source serial:/nonexistent/gps --wait")
    #expect(run.status == 143)
    #expect(run.output == "")
  }

  @Test func aReaderThatGoesEndsAStreamQuietly() throws {
    let run = try shell("\"$LOCATIONCTL\" watch --source simulator | head --lines=1")
    #expect(run.status == 0)
    #expect(run.output.split(separator: "\n").count == 1)
    #expect(run.errors == "")
  }

  /// A stream that ends within the handling of a fix restores all settings of the receiver, not only the first.
  @Test func aStreamThatEndsByItsCountRestoresTheReceiver() throws {
    let receiver = try HelperProcess("simulated-ublox", ["ublox8", "hot", "rate=5"], environment: [:])
    let path = String(decoding: try #require(receiver.next()), as: UTF8.self)
    let run = try shell(
      """
      export LOCATIOND_STATE=$(mktemp -d) LOCATIOND_GPSD=off LOCATIOND_SOCKET=/nonexistent
      "$LOCATIONCTL" watch --count 10 --source serial:\(path) >/dev/null
      stty -F \(path) raw -echo
      head -c 6000 \(path) | LC_ALL=C grep -a -o $'\\xb5b' | wc -l
      """)
    // What was on the way when the port was closed.
    #expect(Int(run.output.filter(\.isNumber)).map { $0 < 3 } == true, "\(run.output) \(run.errors)")
    withExtendedLifetime(receiver) {}
  }

  @Test func aFullDiskIsReported() throws {
    let run = try shell("\"$LOCATIONCTL\" fix --source simulator > /dev/full")
    #expect(run.status == 73)
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
  }

  /// Of two commands at once, the second waits for the first within its own deadline, and then names the program that has the
  /// port.
  @Test func theSecondCommandWaitsForTheFirst() throws {
    let run = try shell(
      """
      exec 3< <("$LOCATIONCTL" watch --source simulator --template '%{device}')
      read -r device <&3
      "$LOCATIONCTL" fix --source "serial:$device" --timeout 1
      status=$?
      exec 3<&-
      exit $status
      """)
    #expect(run.status == 75, "\(run.errors)")
    #expect(run.errors.contains("/dev/pts/"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
  }

  /// A reader that no longer reads does not delay the end of a command that receives a signal; the output that it had not read is
  /// lost.
  @Test(arguments: [("TERM", 143), ("HUP", 129)]) func aStalledReaderKeepsNothingAlive(
    signal: String, status: Int32
  ) throws {
    let run = try shell(
      """
      dir=$(mktemp -d); mkfifo "$dir/pipe"
      exec 4<>"$dir/pipe"
      head --bytes=65536 /dev/zero >&4
      "$LOCATIONCTL" watch --source simulator > "$dir/pipe" &
      command=$!
      sleep 2
      kill -s \(signal) $command
      wait $command
      status=$?
      rm -r "$dir"
      exit $status
      """)
    #expect(run.status == status, "\(run.errors)")
  }

  @Test func aClosedOutputIsReported() throws {
    let run = try shell("\"$LOCATIONCTL\" fix --source simulator >&-")
    #expect(run.status == 73)
    #expect(run.errors.contains("is closed"), "\(run.errors)")
  }

  @Test func aFileThatMayNotGrowIsReported() throws {
    let run = try shell(
      "file=$(mktemp); ulimit -f 0; \"$LOCATIONCTL\" fix --source simulator >\"$file\"; status=$?; rm \"$file\"; exit $status"
    )
    #expect(run.status == 73)
  }
}
