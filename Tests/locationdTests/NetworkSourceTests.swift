import Foundation
import TestSupport
import Testing

/// Receivers in networks, through the network helper.
@Suite(.serialized) struct NetworkSourceTests {
  private let place: RunningDaemon.Place

  init() throws { place = try RunningDaemon.Place() }

  private func check(_ fix: CommandRun.Result, _ source: String) {
    let object = fix.objects.first
    #expect(fix.status == 0 && object?["technologies"] as? [String] == ["gnss", "network"], "\(fix.text)\(fix.errors)")
    #expect(object?["device"] as? String == source)
    #expect(abs((object?["latitude"] as? Double ?? 0) - (47 + 17.0 / 60)) < 1e-6)
  }

  @Test func aServerThatSendsNMEAIsAReceiver() throws {
    let receiver = try NetworkReceiver("tcp")
    let source = "tcp://127.0.0.1:\(receiver.port)"
    // Without a daemon, and by name.
    check(try CommandRun.run("fix", "--source", source, "--max-age", "0", "--timeout", "20", at: place), source)
    check(
      try CommandRun.run(
        "fix", "--source", "tcp://localhost:\(receiver.port)", "--max-age", "0", "--timeout", "20", at: place),
      "tcp://localhost:\(receiver.port)")
    let daemon = try RunningDaemon.listening(["--source", source], at: place)
    check(try CommandRun.run("fix", "--max-age", "0", "--timeout", "20", at: place), source)
    let status = try CommandRun.run("status", at: place)
    #expect(status.objects.first?["source"] as? String == source, "\(status.text)")
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  /// A server that closes the connection again and again, and one that is started again, cost no more than the delay.
  @Test func aLostConnectionIsMadeAgain() throws {
    var receiver: NetworkReceiver? = try NetworkReceiver("tcp", most: 3)
    let port = try #require(receiver?.port)
    let daemon = try RunningDaemon.listening(["--source", "tcp://127.0.0.1:\(port)"], at: place)
    let watch = try CommandRun(["watch", "--count", "8", "--duration", "60"], at: place)
    for _ in 0..<3 { #expect(receiver?.next() == "connected") }
    receiver = nil
    receiver = try NetworkReceiver("tcp", port: port)
    let result = watch.finish()
    // Other lines say that the position was lost.
    #expect(result.objects.count { $0["latitude"] != nil } == 8, "\(result.text)\(result.errors)")
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  @Test func anAbsentServerIsNamed() throws {
    let source = "tcp://127.0.0.1:\(try freePort())"
    let fix = try CommandRun.run("fix", "--source", source, "--max-age", "0", "--timeout", "2", at: place)
    #expect(
      fix.status == 75 && fix.errors.contains(source) && fix.errors.contains("cannot be reached"), "\(fix.errors)")
    let wrong = try CommandRun.run("fix", "--source", "tcp://user:secret@127.0.0.1:1", at: place)
    #expect(wrong.status == 64 && wrong.errors.contains("remove it"), "\(wrong.errors)")
    let open = try CommandRun.run("fix", "--source", "udp://0.0.0.0:10110", at: place)
    #expect(open.status == 64 && open.errors.contains("?from="), "\(open.errors)")
  }

  /// A password in an address that is not accepted stands in no message, wherever the address was given.
  @Test(arguments: [
    "tcp://me:secret@127.0.0.1:1", "https://me:secret@127.0.0.1/BASE", "gpsd:me:secret@127.0.0.1",
    "me:secret@127.0.0.1",
  ])
  func noMessageContainsAPassword(address: String) throws {
    for arguments in [
      ["fix", "--source", address], ["doctor", "--source=\(address)"],
      ["config", "set", "source", address], ["config", "set", "corrections", address], ["ntrip", "list", address],
      ["ntrip", "use", address],
    ] {
      let run = try CommandRun.run(arguments, at: place)
      #expect(run.status != 0 && !run.errors.isEmpty, "\(arguments)")
      #expect(!run.errors.contains("secret") && !run.text.contains("secret"), "\(arguments): \(run.errors)\(run.text)")
    }
    try place.configure("source = \(address)\ncorrections = \(address)\n")
    let check = try CommandRun.run("config", "check", at: place)
    #expect(check.status == 65 && !check.text.contains("secret"), "\(check.text)")
    let variable = ["LOCATIOND_SOURCE": address]
    let fix = try CommandRun(["fix"], at: place, environment: variable).finish()
    #expect(fix.status == 64 && !fix.errors.contains("secret"), "\(fix.errors)")
    let daemon = try RunningDaemon.listening([], at: place, environment: variable)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    let lines = daemon.rest()
    #expect(!lines.contains { $0.contains("secret") }, "\(lines)")
  }

  private func processorSeconds(of process: Int) throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    // utime and stime of proc_pid_stat(5), in ticks of 10 ms.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return (Double(fields[11]) ?? 0) / 100 + (Double(fields[12]) ?? 0) / 100
  }

  /// A helper that cannot accept a connection, because it has no free descriptors, waits until it can.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/prlimit"), "needs util-linux"))
  func aHelperWithoutDescriptorsWaits() throws {
    let port = try freePort()
    let daemon = try RunningDaemon.listening(["--source", "tcp-listen://127.0.0.1:\(port)"], at: place)
    let watch = try CommandRun(["watch", "--count", "1", "--duration", "60"], at: place)
    var helper: Int?
    for _ in 0..<300 where helper == nil {
      helper = Int(
        try GPSDServing.run(["pgrep", "-P", "\(daemon.processID)", "-f", "net-helper"]).output.filter(\.isNumber))
      usleep(20_000)
    }
    let process = try #require(helper)
    _ = try GPSDServing.run(["prlimit", "--pid", "\(process)", "--nofile=3:1024"])
    let receiver = try NetworkReceiver("connect", port: port)
    let before = try processorSeconds(of: process)
    usleep(1_000_000)
    let used = try processorSeconds(of: process) - before
    #expect(used < 0.2, "\(used)")
    _ = try GPSDServing.run(["prlimit", "--pid", "\(process)", "--nofile=1024:1024"])
    let result = withExtendedLifetime(receiver) { watch.finish() }
    #expect(result.objects.contains { $0["latitude"] != nil }, "\(result.text)\(result.errors)")
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  /// Programs that send to this machine: an address of the range is accepted, and no other.
  @Test(arguments: ["connect", "udp"]) func aProgramMaySend(role: String) throws {
    let port = try freePort(isDatagram: role == "udp")
    let source = "\(role == "udp" ? "udp" : "tcp-listen")://127.0.0.1:\(port)"
    let receiver = try NetworkReceiver(role, port: port)
    try withExtendedLifetime(receiver) {
      check(
        try CommandRun.run(
          "fix", "--source", "\(source)?from=127.0.0.0/8", "--max-age", "0", "--timeout", "20", at: place), source)
      let other = try CommandRun.run(
        "fix", "--source", "\(source)?from=192.0.2.0/24", "--max-age", "0", "--timeout", "2", at: place)
      #expect(other.status == 75, "\(other.text)\(other.errors)")
    }
  }
}
