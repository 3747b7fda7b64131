import Foundation
import TestSupport
import Testing

/// Each failure on the command line is one sentence, with its exit status, and without secrets.
@Suite(.serialized) struct SentenceTests {
  private let place: RunningDaemon.Place
  private let daemon: RunningDaemon

  init() throws {
    place = try RunningDaemon.Place()
    daemon = try RunningDaemon.listening(at: place)
  }

  @Test(arguments: [
    (["grant", "no-such-user"], Int32(64), "There is no user 'no-such-user'"),
    (["grant", "4294967295"], 64, "There is no user '4294967295'"),
    (["grant", "root/"], 64, "'' is not a program of a user"),
    (["revoke", "root/tablet:x"], 64, "'tablet:x' is not a program of a user"),
    (["log", "keygen", ""], 64, "the output file is empty"),
  ]) func oneSentence(arguments: [String], status: Int32, words: String) throws {
    let run = try CommandRun(arguments, at: place).finish()
    #expect(run.status == status && run.errors.contains(words), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
  }

  @Test(arguments: ["sealsecret1", "SEALSECRET1"]) func aKeyInThePlaceOfItsFileIsNotShown(prefix: String) throws {
    let secret = "abcdefghijklmnopqrstuvwxyz234567"
    let run = try CommandRun(["log", "export", "trip", "--key", prefix + secret], at: place).finish()
    #expect(run.status == 64 && run.errors.contains("the secret key itself"), "\(run.errors)")
    #expect(!run.errors.lowercased().contains(secret) && !run.text.lowercased().contains(secret))
  }

  @Test(arguments: [["grants"], ["status"], ["services", "off"], ["grant", "root"]])
  func aDaemonThatStandsStillIsNotWaitedForLong(arguments: [String]) throws {
    daemon.send(SIGSTOP)
    defer { daemon.send(SIGCONT) }
    let run = try CommandRun(arguments, at: place).finish()
    #expect(run.status == 75 && run.output.isEmpty, "\(run)")
    #expect(run.errors.contains("did not answer") && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
  }
}
