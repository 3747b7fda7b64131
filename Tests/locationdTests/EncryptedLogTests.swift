import Foundation
import Geodesy
import LocationIPC
import LocationPolicy
import TestSupport
import Testing

/// Encrypted logs, with the real daemon and the real command line.
@Suite(.serialized) struct EncryptedLogTests {
  private let place: RunningDaemon.Place
  private let key: String
  private let seal: String

  init() throws {
    place = try RunningDaemon.Place()
    key = place.folder.appendingPathComponent("trip.key").path
    let run = try CommandRun(["log", "keygen", key], at: place).finish()
    #expect(run.status == 0 && run.errors.contains("keep it away from the machine that records"))
    seal = run.text.trimmingCharacters(in: .newlines)
    #expect(seal.count == 61 && seal.hasPrefix("seal1"))
  }

  private func run(_ arguments: String..., input: String? = nil) throws -> CommandRun.Result {
    try CommandRun(arguments, at: place, input: input).finish()
  }

  private func path(_ name: String) -> String { place.folder.appendingPathComponent(name).path }

  private func awaitUpdates(_ count: Int) throws {
    let client = try RawClient.greeted(place)
    client.send(.request(.startUpdates(RequestID(1), UpdateOptions())))
    for _ in 0..<count { _ = try #require(try client.nextEvent()) }
  }

  @Test func isRecordedListedAndExportedWithItsKey() throws {
    let daemon = try RunningDaemon.listening(at: place)
    #expect(try run("log", "start", "trip", "--standing", "--seal", seal).status == 0)
    #expect(try run("log", "start", "open", "--standing").status == 0)
    try awaitUpdates(4)
    let export = try run("log", "export", "trip", "--format", "csv", "--key", key)
    #expect(export.status == 0 && export.errors.isEmpty)
    let rows = export.text.split(whereSeparator: \.isNewline)
    #expect(rows.count >= 1 + 3)
    #expect(export.text.contains(",47.2"))
    // The text of the key, without a file that contains it on this machine.
    let words = try String(contentsOfFile: key, encoding: .utf8)
    let piped = try run("log", "export", "trip", "--format", "csv", "--key", "-", input: words)
    #expect(piped.status == 0 && piped.text.contains(rows[1]))

    #expect(try run("log", "export", "open").status == 0)
    let logs = try run("log", "list").objects
    #expect(logs.map { $0["sealedTo"] as? String } == [nil, seal])
    // Only the day of the log is shown, and no time of day.
    #expect((logs.last?["begin"] as? String)?.count == 10)
    #expect((logs.first?["begin"] as? String)?.count == 24)
    // The existing log stays encrypted, whoever starts it again.
    #expect(try run("log", "start", "trip", "--standing").status == 0)
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    // Without the daemon, like on a memory card that is read on another machine.
    #expect(try run("log", "export", "trip", "--format", "csv").status == 77)
    let later = try run("log", "export", "trip", "--format", "csv", "--key", key)
    #expect(later.status == 0 && later.text.contains(rows[1]))
  }

  @Test func eachMistakeIsOneSentence() throws {
    let daemon = try RunningDaemon.listening(at: place)
    #expect(try run("log", "start", "trip", "--standing", "--seal", seal).status == 0)
    #expect(try run("log", "start", "open", "--standing").status == 0)
    try awaitUpdates(3)
    let other = path("other.key")
    let differentPublicKey = try run("log", "keygen", other).text.trimmingCharacters(in: .newlines)
    try Data("# nothing\n".utf8).write(to: URL(fileURLWithPath: path("empty")))
    try Data("\(differentPublicKey)\n".utf8).write(to: URL(fileURLWithPath: path("other.pub")))
    let words = try String(contentsOfFile: key, encoding: .utf8)
    try Data(words.replacingOccurrences(of: "sealsecret1", with: "sealsecret1a").utf8).write(
      to: URL(fileURLWithPath: path("damaged.key")))

    func ends(_ arguments: [String], _ status: Int32, _ sentence: String) throws {
      let result = try CommandRun(arguments, at: place).finish()
      #expect(result.status == status, "\(arguments): \(result.errors)")
      #expect(result.errors.contains(sentence), "\(arguments): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1 && result.output.isEmpty, "\(result.errors)")
    }
    try ends(
      ["log", "export", "trip"], 77,
      "Log trip is encrypted for the key \(seal): use --key with the file of the matching secret key.")
    try ends(["log", "export", "trip", "--key", other], 77, "and the given secret key does not match")
    try ends(["log", "export", "open", "--key", key], 64, "Log open is not encrypted: leave out --key.")
    try ends(["log", "export", "trip", "--key", path("none")], 65, "There is no file")
    try ends(["log", "export", "trip", "--key", path("empty")], 65, "There is no secret key in")
    try ends(["log", "export", "trip", "--key", path("other.pub")], 65, "There is no secret key in")
    try ends(["log", "export", "trip", "--key", path("damaged.key")], 65, "is damaged: use another copy of it.")
    try ends(["log", "keygen", key], 73, "it exists already")
    try ends(["log", "start", "open", "--seal", seal], 64, "exists already and is not encrypted: use another name")
    try ends(["log", "start", "trip", "--seal", differentPublicKey], 64, "is encrypted for another key, \(seal)")
    try ends(["log", "start", "trip", "--seal", path("other.pub")], 64, "is encrypted for another key")
    try ends(
      ["log", "start", "new", "--seal", key], 64, "That is the secret key, which the machine that records must not have"
    )
    try ends(["log", "start", "new", "--seal", String(seal.dropLast())], 64, "is not a valid public key")
    try ends(["log", "start", "new", "--seal", path("none")], 65, "There is no file")
    try ends(["log", "start", "new", "--seal", path("empty")], 65, "There is no public key in")
    #expect(try run("log", "list").objects.count == 2)
    // A track that could not be written leaves no file.
    #expect(try run("log", "export", "trip", "--key", other, "-o", path("trip.gpx")).status == 77)
    #expect(!FileManager.default.fileExists(atPath: path("trip.gpx")))
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
  }

  /// A damaged block is left out, and everything before and after it is read.
  @Test func aDamagedBlockIsLeftOut() throws {
    let daemon = try RunningDaemon.listening(at: place)
    #expect(try run("log", "start", "trip", "--standing", "--seal", seal).status == 0)
    // Each read writes a block to the disk.
    var rows = 0
    for _ in 0..<3 {
      try awaitUpdates(3)
      rows = try run("log", "export", "trip", "--format", "csv", "--key", key).text.split(whereSeparator: \.isNewline)
        .count
    }
    daemon.send(SIGTERM)
    #expect(daemon.end() == 0)
    let track = path("state/tracks/1/00000001.track")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: track)))
    bytes[2048 + 512 + 100] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: track))
    let export = try run("log", "export", "trip", "--format", "csv", "--key", key)
    #expect(export.status == 0)
    #expect(export.errors.contains("1 block of the log is damaged and was left out"))
    let left = export.text.split(whereSeparator: \.isNewline)
    #expect(left.count < rows && left.count > 1 && left.contains { $0.contains("gap") })
  }
}
