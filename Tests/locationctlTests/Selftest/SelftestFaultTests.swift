import Diagnosis
import Dispatch
import Foundation
import LinuxIO
import TestSupport
import Testing

/// `locationctl selftest` as a user runs it: with faults that it has to find, and without any.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LOCATION_SOAK"] == "1", "long: LOCATION_SOAK=1"))
struct SelftestFaultTests {
  private static let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]

  /// Only these, for one run: LOCATION_CASES=heat,daemon.
  private static let chosen = ProcessInfo.processInfo.environment["LOCATION_CASES"]?.split(separator: ",").map(
    String.init)

  static let faults = SelftestFault.allCases.filter { fault in
    guard chosen?.contains(fault.rawValue) ?? true else { return false }
    return switch fault {
    case .noPermission: geteuid() == 0
    case .heat, .heatNow, .wifiOff, .bluetoothOff, .noPulses, .underVoltage, .overCurrent: DeviceBed.isInstalled
    default: true
    }
  }

  /// More faults than the twenty that are promised.
  @Test(.disabled(if: chosen != nil, "LOCATION_CASES")) func thereAreEnoughFaults() { #expect(Self.faults.count >= 20) }

  @Test(arguments: faults) func aFaultIsFound(_ fault: SelftestFault) async throws {
    let result = try await Self.onThread { try Self.run(fault) }
    let (id, finding) = fault.expected
    let found = result.alarms.first { $0.check == id.rawValue }
    #expect(found != nil, "\(result.checks) \(result.errors)")
    if let finding { #expect(found?.findings?.contains(finding.rawValue) == true, "\(String(describing: found))") }
    // Only a failed check changes the exit status.
    #expect((result.status == 0) == !result.alarms.contains { $0.outcome == "failed" })
  }

  private static func run(_ fault: SelftestFault) throws -> SelftestBed.Result {
    let receiver = fault.receiver
    switch fault {
    case .noPort: return try SelftestBed.run(receiver: nil, source: "serial:/dev/ttyGPS7")
    case .directory: return try SelftestBed.run(receiver: nil, source: "serial:/tmp")
    case .noPermission:
      return try SelftestBed.run(receiver: receiver, user: nobody) { path, body in
        try #require(unsafe chown(path, 0, 20) == 0 && chmod(path, 0o660) == 0)
        try body()
      }
    case .portInUse:
      return try SelftestBed.run(receiver: receiver) { path, body in
        let holder = Process()
        holder.executableURL = URL(fileURLWithPath: "/bin/cat")
        let port = try #require(FileHandle(forUpdatingAtPath: path))
        holder.standardInput = port
        holder.standardOutput = FileHandle.nullDevice
        try holder.run()
        try port.close()
        defer {
          kill(holder.processIdentifier, SIGKILL)
          holder.waitUntilExit()
        }
        try body()
      }
    default:
      return try SelftestBed.run(receiver: receiver, machine: fault.machine)
    }
  }

  enum Healthy: String, CaseIterable, CustomTestStringConvertible {
    case nmea, ubloxFactory, oldUblox, simulator, daemon, coolMachine

    var testDescription: String { rawValue }
  }

  static let healthy = Healthy.allCases.filter {
    (chosen?.contains($0.rawValue) ?? true) && ($0 != .coolMachine || DeviceBed.isInstalled)
  }

  @Test(arguments: healthy) func aHealthySetupRaisesNoAlarm(_ setup: Healthy) async throws {
    let result = try await Self.onThread { try Self.run(setup) }
    #expect(result.alarms.isEmpty, "\(result.alarms) \(result.errors)")
    #expect(result.status == 0, "\(result.errors)")
    for id in [SelfTestCheckID.firstFix, .updates, .secondStart] { #expect(result.outcome(id) == "passed") }
    // The simulator inside the process moves.
    if setup != .simulator {
      #expect(result.outcome(.radius) == "passed", "\(result.checks)")
      #expect(result.outcome(.settings) == "passed", "\(result.checks)")
    }
    if setup == .coolMachine {
      for id in [SelfTestCheckID.temperature, .wifi, .bluetooth] { #expect(result.outcome(id) == "passed") }
    }
    #expect(result.outcome(.replug) == "skipped")
  }

  private static func run(_ setup: Healthy) throws -> SelftestBed.Result {
    switch setup {
    case .nmea: return try SelftestBed.run(receiver: ["nmea23", "hot", "rate=4"])
    case .ubloxFactory: return try SelftestBed.run(receiver: ["ublox8", "hot", "rate=4"])
    case .oldUblox: return try SelftestBed.run(receiver: ["ublox6", "hot", "rate=4"])
    case .simulator: return try SelftestBed.run(receiver: nil, source: "simulator")
    case .coolMachine:
      return try SelftestBed.run(
        receiver: ["nmea23", "hot", "rate=4"], machine: Machine.sensor("48000") + Machine.good)
    case .daemon:
      let receiver = try HelperProcess("simulated-ublox", ["ublox8", "hot", "rate=4"], environment: [:])
      let path = String(decoding: try #require(receiver.next()), as: UTF8.self)
      let place = try RunningDaemon.Place()
      let daemon = try RunningDaemon.listening(["--source", "serial:\(path)"], at: place)
      defer { withExtendedLifetime((receiver, daemon)) {} }
      return try SelftestBed.run(receiver: nil, source: "auto", environment: place.environment)
    }
  }

  /// Simulated receivers share the processors with the programs that examine them. With more pairs than this, a receiver is silent
  /// for as long as one baud rate is tried, which no receiver of hardware is.
  private static let seats = DispatchSemaphore(value: 3 * ProcessInfo.processInfo.activeProcessorCount)

  /// The runs wait most of the time: each has a thread of its own, so that several of them wait together.
  private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        seats.wait()
        defer { seats.signal() }
        continuation.resume(with: Result { try body() })
      }
    }
  }
}
