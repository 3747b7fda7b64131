import Foundation
import LocationIPC
import LocationPolicy
import TestSupport
import Testing

/// A slow memory card: strace(1) makes the kernel delay the calls that wait for the disk.
@Suite(.enabled(if: Tracing.isPossible, "strace is not installed, or may not trace")) struct SlowDiskTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  /// A daemon in which every `fdatasync` takes this many seconds.
  private func daemon(syncLasting seconds: Int) throws -> RunningDaemon {
    let delay = "inject=fdatasync:delay_exit=\(seconds)s"
    return try RunningDaemon.listening(
      at: place, shell: "exec \(Tracing.program) -D -f -o /dev/null -e trace=fdatasync -e \(delay) \"$@\"")
  }

  @Test func onlyTheRequesterWaitsForTheDisk() throws {
    let daemon = try daemon(syncLasting: 5)
    let client = try RawClient.greeted(place)
    client.send(.request(.log(RequestID(1), .start(name: "slow", LogOptions()))))
    guard case .done(RequestID(1))? = try client.nextEvent() else { throw RawClient.NoAnswer() }
    client.send(.request(.locate(RequestID(2), OneShotOptions())))
    guard case .located(RequestID(2), _, _, _)? = try client.nextEvent() else { throw RawClient.NoAnswer() }

    // The collected fixes are written to the disk before the log is read.
    client.send(.request(.log(RequestID(3), .read(name: "slow", from: nil, to: nil))))
    client.send(.request(.locate(RequestID(4), OneShotOptions())))
    client.send(.request(.status(RequestID(5))))
    let order = try (0..<3).map { _ in try #require(try client.nextEvent()).request }
    #expect(order == [RequestID(4), RequestID(5), RequestID(3)])
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func aSecondStopSignalDoesNotWaitForTheDisk() throws {
    let daemon = try daemon(syncLasting: 3600)
    let tracer = try Tracing.tracer(of: daemon.processID)
    let client = try RawClient.greeted(place)
    // The index is written first: its disk hangs from now on.
    client.send(.request(.log(RequestID(1), .start(name: "slow", LogOptions()))))
    client.send(.request(.status(RequestID(2))))
    guard case .status? = try client.nextEvent() else { throw RawClient.NoAnswer() }
    daemon.send(SIGTERM)
    try daemon.awaitLine("Stopping.")
    daemon.send(SIGTERM)
    try daemon.awaitLine("Stopped.")
    // A delayed thread ends when its tracer ends.
    kill(tracer, SIGKILL)
    #expect(daemon.end() == 0)
  }

  /// A decision applies at once, however slow the disk is.
  @Test func denialsAreSentBeforeTheDiskHasAnswered() throws {
    let daemon = try daemon(syncLasting: 3600)
    let tracer = try Tracing.tracer(of: daemon.processID)
    let client = try RawClient.greeted(place)
    client.send(.request(.startUpdates(RequestID(1), UpdateOptions())))
    guard case .update? = try client.nextEvent() else { throw RawClient.NoAnswer() }
    client.send(.request(.authorization(RequestID(2), .setServices(isOn: false))))
    var ends: [ServiceEvent] = []
    while ends.count < 2 {
      let event = try #require(try client.nextEvent())
      if case .update = event, ends.isEmpty { continue }
      ends.append(event)
    }
    guard case .failed(RequestID(1), .notAuthorized(.servicesOff, _)) = ends[0],
      case .failed(RequestID(2), .notKept(_, _, .busy)) = ends[1]
    else { throw RawClient.NoAnswer() }
    kill(tracer, SIGKILL)
    daemon.send(SIGKILL)
  }
}

/// strace(1), if it is installed and the kernel permits it.
private enum Tracing {
  static let program = "/usr/bin/strace"

  static let isPossible: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["-o", "/dev/null", "/bin/true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  struct NotTraced: Error {}

  /// The process that traces another process.
  static func tracer(of process: Int32) throws -> Int32 {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("TracerPid:") }
    guard let pid = line?.split(separator: "\t").last.flatMap({ Int32($0) }), pid > 0 else { throw NotTraced() }
    return pid
  }
}
