import Foundation
import TestSupport
import Testing

/// Corrections from a caster, through the daemon to a receiver for RTK.
@Suite(.serialized) struct NTRIPTests {
  /// The machine of the client is tested in virtual time (`NetworkSourcesTests`): CI runs each path to a real caster once.
  private static let isSoak = ProcessInfo.processInfo.environment["LOCATION_SOAK"] == "1"

  private let place: RunningDaemon.Place
  private let receiver: HelperProcess
  private let path: String

  init() throws {
    place = try RunningDaemon.Place()
    receiver = try HelperProcess("simulated-ublox", ["ublox9", "hot", "rate=5", "rtk-off"], environment: [:])
    path = try #require(receiver.next().map { String(decoding: $0, as: UTF8.self) })
  }

  /// A daemon that uses the caster's file `base`.
  private func daemon(_ lines: String, environment: [String: String] = [:], mode: Int = 0o600) throws -> RunningDaemon {
    let file = place.configuration.appendingPathComponent("etc/locationd/ntrip/base").path
    try place.configure(lines, in: "etc/locationd/ntrip/base")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    try place.configure("corrections = base\n")
    return try RunningDaemon.listening(["--source", "serial:\(path)"], at: place, environment: environment)
  }

  /// The status of the corrections, once `isWanted` is true for it.
  private func status(_ isWanted: ([String: Any]) -> Bool) throws -> [String: Any] {
    var last: [String: Any] = [:]
    for _ in 0..<150 {
      last = try CommandRun.run("ntrip", "status", at: place).objects.first ?? [:]
      if isWanted(last) { return last }
      usleep(100_000)
    }
    Issue.record("\(last)")
    return last
  }

  /// Version 2 with chunks over TLS: the receiver's input is switched on, it becomes float, then fixed, and gets its settings back.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/openssl"), "needs openssl"))
  func aReceiverReachesAFixedSolution() throws {
    let authority = try TestAuthority(in: place.folder.path)
    let caster = try Caster("chunked", certificate: (authority.chain, authority.key))
    let daemon = try daemon(
      "url=ntrips://localhost:\(caster.port)/BASE\nuser=me\npassword=secret\n",
      environment: ["CURL_CA_BUNDLE": authority.authority])
    let watch = try CommandRun(["watch", "--count", "35", "--duration", "60"], at: place)
    #expect(caster.next() == "GET /BASE HTTP/1.1 v2 me:secret")
    let state = try status { ($0["age"] as? Double ?? 99) < 30 }
    #expect(state["state"] as? String == "streaming" && state["station"] as? Int == 77, "\(state)")
    #expect(try differences(state, from: "ntrip-status").isEmpty, "\(state)")
    let fixes = watch.finish().objects
    let kinds = fixes.compactMap { $0["fix"] as? String }
    #expect(kinds.contains("rtkFloat") && kinds.last == "rtkFixed", "\(kinds)")
    #expect((fixes.last?["dgpsAge"] as? Double ?? 99) <= 2, "\(fixes.last ?? [:])")
    let report = try CommandRun.run("status", at: place)
    #expect((report.objects.first?["corrections"] as? [String: Any])?["name"] as? String == "base", "\(report.text)")
    #expect(!report.text.contains("secret"))
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    let lines = daemon.rest()
    #expect(!lines.contains { $0.contains("secret") }, "\(lines)")
  }

  /// A certificate that no trusted authority has signed: nothing is sent, not even the account.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/openssl"), "needs openssl"))
  func anUntrustedCasterGetsNothing() throws {
    let authority = try TestAuthority(in: place.folder.path)
    let caster = try Caster("v2", certificate: (authority.chain, authority.key))
    let daemon = try daemon("url=ntrips://localhost:\(caster.port)/BASE\nuser=me\npassword=secret\n")
    let watch = try CommandRun(["watch", "--duration", "20"], at: place)
    let state = try status { $0["problem"] != nil }
    #expect(
      state["state"] as? String == "pausing" && (state["sentence"] as? String)?.contains("trusted") == true, "\(state)")
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    watch.stop()
    _ = watch.finish()
  }

  @Test(arguments: isSoak ? ["v1", "v2"] : ["v1"]) func bothVersionsAreRead(version: String) throws {
    let caster = try Caster(version)
    let daemon = try daemon(
      "url=ntrip://127.0.0.1:\(caster.port)/BASE\nversion=\(version.dropFirst())\n")
    let watch = try CommandRun(["watch", "--duration", "20"], at: place)
    #expect(caster.next() == "GET /BASE HTTP/1.\(version == "v1" ? 0 : 1) \(version)")
    let state = try status { ($0["frames"] as? Int ?? 0) >= 4 }
    #expect(state["state"] as? String == "streaming" && state["receivers"] as? Int == 1, "\(state)")
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    watch.stop()
    _ = watch.finish()
  }

  private static let refusals = [
    ("refused", "refused", "account", "corrections-refused"),
    ("absent", "wrongMount", "no such mount", "corrections-wrong-mount"),
  ]

  @Test(arguments: isSoak ? refusals : Array(refusals.prefix(1)))
  func aRefusalIsFinal(mode: String, problem: String, words: String, code: String) throws {
    let caster = try Caster(mode)
    let text = "url=ntrip://127.0.0.1:\(caster.port)/BASE\nuser=me\npassword=secret\n"
    for start in 0..<2 {
      let daemon = try daemon(text)
      let watch = try CommandRun(["watch", "--duration", "20"], at: place)
      let state = try status { $0["state"] as? String == "stopped" }
      #expect(state["problem"] as? String == problem, "\(start): \(state)")
      #expect((state["sentence"] as? String)?.contains(words) == true, "\(state)")
      if start == 0 {
        let doctor = try CommandRun.run("doctor", at: place)
        #expect(doctor.objects.contains { $0["finding"] as? String == code }, "\(doctor.text)\(doctor.errors)")
        #expect(!doctor.text.contains("secret"), "\(doctor.text)")
      }
      daemon.send(SIGTERM)
      #expect(daemon.end() == 0)
      watch.stop()
      _ = watch.finish()
    }
    // The second daemon did not ask again.
    #expect(caster.next() == "GET /BASE HTTP/1.1 v2 me:secret")
    try FileManager.default.removeItem(
      at: place.folder.appendingPathComponent("state/ntrip/base"))
  }

  @Test func aFileThatOthersCanReadIsNotUsed() throws {
    let daemon = try daemon("url=ntrip://127.0.0.1:1/BASE\n", mode: 0o644)
    let watch = try CommandRun(["watch", "--duration", "20"], at: place)
    let state = try status { $0["problem"] != nil }
    #expect(state["problem"] as? String == "badFile" && (state["sentence"] as? String)?.contains("chmod 600") == true)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    watch.stop()
    _ = watch.finish()
  }

  /// Reloads that do not concern the caster leave its connection as it is; a changed file is a new one.
  @Test func aReloadKeepsTheConnection() throws {
    let caster = try Caster("v1")
    let lines = "url=ntrip://127.0.0.1:\(caster.port)/BASE\nversion=1\n"
    let daemon = try daemon(lines)
    let watch = try CommandRun(["watch", "--duration", "60"], at: place)
    _ = try status { $0["state"] as? String == "streaming" }
    for time in ["10s", "20s"] {
      try place.configure("corrections = base\nfailover-after = \(time)\n")
      daemon.send(SIGHUP)
      try daemon.awaitLine("failover-after is")
      let state = try #require(try CommandRun.run("ntrip", "status", at: place).objects.first)
      #expect(state["state"] as? String == "streaming" && (state["frames"] as? Int ?? 0) > 0, "\(state)")
    }
    try place.configure(lines + "gga=never\n", in: "etc/locationd/ntrip/base")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600],
      ofItemAtPath: place.configuration.appendingPathComponent("etc/locationd/ntrip/base").path)
    daemon.send(SIGHUP)
    for _ in 0..<2 { #expect(caster.next() == "GET /BASE HTTP/1.0 v1") }
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    watch.stop()
    _ = watch.finish()
  }

  /// A user without access to the exact location does not see whether a receiver is in use.
  @Test(.enabled(if: OtherUserRun.isPossible, "needs root, and setpriv")) func theStateIsHiddenFromOthers() throws {
    let daemon = try daemon("url=ntrip://127.0.0.1:1/BASE\n")
    let run = try OtherUserRun(["ntrip", "status", "--json"], at: place).finish()
    #expect(run.status == 77 && run.objects.isEmpty && run.errors.contains("exact location"), "\(run.errors)")
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  /// What a line has and its schema does not know, or the other way round.
  private func differences(_ line: [String: Any], from schema: String) throws -> [String] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Documentation/schemas/\(schema).schema.json")
    let document = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    let properties = try #require(document["properties"] as? [String: [String: Any]])
    let required = try #require(document["required"] as? [String])
    let missing = required.filter { line[$0] == nil }
    let wrong = line.filter { key, value in
      guard let property = properties[key] else { return true }
      if let allowed = property["enum"] as? [String] { return !allowed.contains(value as? String ?? "") }
      return switch property["type"] as? String {
      case "string": !(value is String)
      case "integer": !(value is Int)
      case "number", "boolean": !(value is NSNumber)
      default: (property["const"] as? Int) != value as? Int
      }
    }
    return missing + wrong.keys
  }

  @Test func theListOfMountPoints() throws {
    let caster = try Caster("v2")
    let list = try CommandRun.run("ntrip", "list", "ntrip://127.0.0.1:\(caster.port)", at: place)
    #expect(
      list.status == 0 && list.objects.map { $0["mount"] as? String } == ["BASE", "FAR"], "\(list.text)\(list.errors)")
    #expect(list.objects.last?["needsPosition"] as? Bool == true)
    for line in list.objects { #expect(try differences(line, from: "ntrip-mount").isEmpty, "\(line)") }
    let wrong = try CommandRun.run("ntrip", "list", "ntrip://me:secret@127.0.0.1:1", at: place)
    #expect(wrong.status == 64 && !wrong.errors.contains("secret"), "\(wrong.errors)")
    let absent = try CommandRun.run("ntrip", "use", "base", at: place)
    #expect(absent.status == 65 && absent.errors.contains("does not exist"), "\(absent.errors)")
    let off = try CommandRun.run("ntrip", "status", at: place)
    #expect(off.status != 0, "without a daemon")
  }
}
