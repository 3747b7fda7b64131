import Foundation
import Testing

/// `locationctl capture` as a script uses it.
@Suite struct CaptureCommandTests {
  /// Runs `script` in a folder of its own, with `$CAPTURE` for a recorded loss of the fix and `$LOG` for a plain log.
  private func shell(_ script: String) throws -> ProgramRun {
    let captures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Captures")
    return try ProgramRun(
      ["-c", "set -u -o pipefail; cd \"$(mktemp -d)\"; trap 'rm -r \"$PWD\"' EXIT; \(script)"], of: "/bin/bash",
      environment: [
        "LOCATIONCTL": ProgramRun.locationctl, "CAPTURE": captures.appendingPathComponent("nmea411-loss.capture").path,
        "EXPECTED": captures.appendingPathComponent("nmea411-loss.expected.jsonl").path,
        "UBX": captures.appendingPathComponent("ublox8-garbage.capture").path,
      ])
  }

  @Test(arguments: [("INT", 130), ("TERM", 143)]) func aSignalLeavesAWholeFile(signal: String, status: Int32) throws {
    let run = try shell(
      """
      timeout --preserve-status --signal=\(signal) 3 "$LOCATIONCTL" capture my.capture --source simulator
      status=$?
      "$LOCATIONCTL" replay my.capture || exit 1
      stat --format=%a my.capture
      exit $status
      """)
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors == "")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count >= 3)
    #expect(lines.dropLast().allSatisfy { $0.contains("\"latitude\":47.28") })
    // Only its owner can read it.
    #expect(lines.last == "600")
  }

  @Test func aDurationEndsIt() throws {
    let run = try shell(
      "\"$LOCATIONCTL\" capture my.capture --source simulator --duration 2 && \"$LOCATIONCTL\" replay my.capture")
    #expect(run.status == 0, "\(run.errors)")
    #expect((1...3).contains(run.output.split(separator: "\n").count))
  }

  /// A capture of a recording plays like the recording.
  @Test func aRecordingIsCopiedAsItIs() throws {
    let run = try shell(
      """
      "$LOCATIONCTL" capture - --source "replay:$CAPTURE" > my.capture && "$LOCATIONCTL" replay --raw my.capture | diff - "$EXPECTED"
      """)
    #expect(run.status == 0, "\(run.output) \(run.errors)")
  }

  @Test func aSizeEndsIt() throws {
    let run = try shell(
      """
      "$LOCATIONCTL" capture my.capture --source "replay:$CAPTURE" --size-limit 5k || exit 1
      stat --format=%s my.capture
      "$LOCATIONCTL" replay my.capture | wc --lines
      """)
    #expect(run.status == 0, "\(run.errors)")
    let numbers = run.output.split(separator: "\n").compactMap { Int($0) }
    #expect(numbers.count == 2 && (3000...5000).contains(numbers[0]) && numbers[1] >= 2, "\(run.output)")
  }

  @Test func aFileThatExistsIsLeftAlone() throws {
    let run = try shell(
      """
      echo mine > my.capture
      head --bytes=100000 /dev/zero > long
      "$LOCATIONCTL" capture long --force --source "replay:$CAPTURE" || exit 1
      "$LOCATIONCTL" replay long > /dev/null || exit 2
      "$LOCATIONCTL" capture my.capture --source "replay:$CAPTURE"
      status=$?
      cat my.capture
      "$LOCATIONCTL" capture my.capture --force --source "replay:$CAPTURE" && "$LOCATIONCTL" replay my.capture | wc --lines
      exit $status
      """)
    #expect(run.status == 73)
    #expect(run.errors.contains("my.capture exists"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == "mine")
    #expect(lines.count == 2 && (Int(lines[1]) ?? 0) > 5, "\(run.output)")
  }

  /// The file contains everything that fits on the disk, in whole lines.
  @Test func aFullDiskKeepsWhatWasWritten() throws {
    let run = try shell(
      """
      (ulimit -f 20; "$LOCATIONCTL" capture my.capture --source "replay:$UBX")
      status=$?
      "$LOCATIONCTL" replay my.capture | wc --lines
      exit $status
      """)
    #expect(run.status == 73)
    #expect(run.errors.contains("my.capture cannot be written any further (the file is too large)"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    #expect((Int(run.output.filter(\.isNumber)) ?? 0) >= 2, "\(run.output)")
    let full = try shell("\"$LOCATIONCTL\" capture --force /dev/full --source \"replay:$CAPTURE\"")
    #expect(full.status == 73)
    #expect(full.errors.contains("no space left on the device"), "\(full.errors)")
  }

  @Test func aReaderThatGoesEndsItQuietly() throws {
    let run = try shell("\"$LOCATIONCTL\" capture - --source simulator | head --lines=4")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("swift-corelocation capture 1\n"))
    #expect(run.errors == "")
  }

  @Test func nothingToRecordLeavesNoFile() throws {
    let run = try shell(
      "\"$LOCATIONCTL\" capture my.capture --source serial:/dev/ttyNONE; status=$?; ls; exit $status")
    #expect(run.status == 69, "\(run.errors)")
    #expect(run.output == "")
    #expect(run.errors.contains("/dev/ttyNONE"))
    // If the file was to be replaced, the old file is still there.
    let kept = try shell(
      """
      echo mine > my.capture
      "$LOCATIONCTL" capture my.capture --force --source serial:/dev/ttyNONE; status=$?; cat my.capture; exit $status
      """)
    #expect(kept.status == 69)
    #expect(kept.output == "mine\n")
    let missing = try shell("\"$LOCATIONCTL\" capture missing/my.capture --source simulator")
    #expect(missing.status == 73)
    #expect(missing.errors.contains("no such file or directory"), "\(missing.errors)")
  }

  // MARK: - Scrubbing

  /// The copy plays like the original except for the positions, and no two copies are at one place. Only raw fixes are compared,
  /// because the service's own radius can follow the scatter of the positions, which the copy has moved.
  @Test func aScrubbedCopyPlaysElsewhere() throws {
    let keys = "%{timestamp} %{fix} %{satellitesUsed} %{horizontalAccuracy} %{speed} %{suspect}"
    let run = try shell(
      """
      for file in "$CAPTURE" "$UBX"; do
        "$LOCATIONCTL" capture --scrub "$file" copy --force || exit 1
        diff <("$LOCATIONCTL" replay "$file" --raw --template '\(keys)') <("$LOCATIONCTL" replay copy --raw --template '\(keys)') || exit 2
        "$LOCATIONCTL" capture --scrub "$file" other --force || exit 3
        cmp --silent copy other && exit 4
        grep --text -E '4717\\.[0-9]*,N,00?833\\.|# (Made|NMEA|u-blox)' copy && exit 5
        "$LOCATIONCTL" replay copy --template '%{latitude} %{longitude}' | grep -E '^47\\.2[0-9]* 8\\.5' && exit 6
      done
      exit 0
      """)
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 4 && lines.allSatisfy { $0.contains("positions were moved") }, "\(run.errors)")
  }

  @Test func aCaptureIsScrubbedAsItIsMade() throws {
    let run = try shell(
      """
      "$LOCATIONCTL" capture --scrub my.capture --source simulator --duration 3 || exit 1
      grep -E '4717\\.[0-9]*,N,00?833\\.' my.capture && exit 2
      "$LOCATIONCTL" replay my.capture --template '%{horizontalAccuracy}'
      """)
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(run.output.split(separator: "\n").count >= 2)
  }

  @Test func aRecordingIsNotScrubbedOntoItself() throws {
    let run = try shell(
      """
      cp "$CAPTURE" my.capture; ln my.capture other.capture
      "$LOCATIONCTL" capture --scrub my.capture other.capture --force
      status=$?
      cmp "$CAPTURE" my.capture || exit 1
      exit $status
      """)
    #expect(run.status == 64, "\(run.output) \(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  /// If the user passes the name of a recording where the name of a copy is expected, nothing is lost.
  @Test func aRecordingIsNotRecordedOver() throws {
    let run = try shell(
      """
      cp "$CAPTURE" my.capture
      "$LOCATIONCTL" capture --scrub my.capture; echo $?
      "$LOCATIONCTL" capture my.capture --force --source replay:my.capture; echo $?
      cmp "$CAPTURE" my.capture
      """)
    #expect(run.output == "73\n64\n", "\(run.errors)")
    #expect(run.errors.contains("also specify a file for the copy"), "\(run.errors)")
    #expect(run.errors.contains("is the recording itself"), "\(run.errors)")
  }

  @Test func invalidRecordingIsBadInput() throws {
    let run = try shell(
      """
      head --bytes=1000 /dev/zero > zeros
      for file in zeros missing /dev/null; do "$LOCATIONCTL" capture --scrub $file copy; echo $?; done; ls
      """)
    #expect(run.output == "65\n65\n65\nzeros\n", "\(run.errors)")
  }

  @Test func aDamagedCaptureIsScrubbedAsFarAsItGoes() throws {
    let run = try shell(
      """
      head --bytes=9000 "$CAPTURE" > cut; "$LOCATIONCTL" capture --scrub cut copy
      status=$?
      "$LOCATIONCTL" replay copy | wc --lines
      exit $status
      """)
    #expect(run.status == 65)
    #expect(run.errors.contains("is damaged"), "\(run.errors)")
    #expect((Int(run.output.filter(\.isNumber)) ?? 0) >= 2)
  }
}
