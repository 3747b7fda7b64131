import Foundation
import LinuxIO
import LocationPolicy
import LocationStore
import TestSupport
import Testing

@Suite final class CommandStoreTests {
  private let home: TemporaryFolder
  private let book: CommandStore

  init() throws {
    home = try TemporaryFolder()
    book = CommandStore(home: home.path)
  }

  @Test func savedCommandsAreVisibleToTheirOwnerOnly() throws {
    #expect(try book.tokens() == [])
    let texts = ["true", "echo 'a\nb' \"$(date)\"\n", String(repeating: "x", count: 16_384), "\n\n 1\n", "ä"]
    let commands = try texts.map { try #require(SavedCommand($0, budgetSeconds: 300)) }
    let tokens = try commands.map { try book.note($0) }
    #expect(Set(try book.tokens()) == Set(tokens))
    for (token, command) in zip(tokens, commands) {
      #expect(try book.command(token) == command)
      #expect(mode("/\(token.text)") == 0o600)
    }
    #expect(mode("") == 0o700)
    try book.remove(tokens[0])
    try book.remove(tokens[0])
    #expect(throws: CommandStoreError.unknown) { try book.command(tokens[0]) }
    #expect(try book.tokens().count == tokens.count - 1)
  }

  @Test func invalidCommandsAreNotSaved() {
    #expect(SavedCommand("") == nil)
    #expect(SavedCommand("a\0b") == nil)
    #expect(SavedCommand(String(repeating: "x", count: 16_385)) == nil)
    #expect(SavedCommand("true", budgetSeconds: 0) == nil)
    #expect(SavedCommand("true", budgetSeconds: 301) == nil)
    #expect(SavedCommand("true")?.budgetSeconds == 10)
  }

  @Test func commandsThatOthersCanWriteAreNotRun() throws {
    let token = try book.note(try #require(SavedCommand("true")))
    let path = "\(book.folder)/\(token.text)"
    for mode in [0o640, 0o602, 0o644] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      #expect(throws: CommandStoreError.notOwn(.shared(mode: UInt32(mode)))) { try book.command(token) }
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    if geteuid() == 0 {
      #expect(unsafe chown(path, 4_200_001, 0) == 0)
      #expect(throws: CommandStoreError.notOwn(.foreign(owner: 4_200_001))) { try book.command(token) }
      #expect(unsafe chown(path, 0, 0) == 0)
    }
    #expect(try book.command(token).text == "true")
  }

  @Test func invalidFileIsNotRun() throws {
    let token = try book.note(try #require(SavedCommand("true")))
    let (link, other, pipe) = (
      CommandToken(high: 0, low: 1), CommandToken(high: 0, low: 2), CommandToken(high: 0, low: 3)
    )
    let folder = book.folder
    let path = { (token: CommandToken) in "\(folder)/\(token.text)" }
    try FileManager.default.createSymbolicLink(atPath: path(link), withDestinationPath: path(token))
    try FileManager.default.createDirectory(atPath: path(other), withIntermediateDirectories: false)
    #expect(unsafe mkfifo(path(pipe), 0o600) == 0)
    for token in [link, other, pipe] { #expect(throws: CommandStoreError.self) { try book.command(token) } }
  }

  @Test(arguments: [
    "", "locationd-command 1", "locationd-command 1\n10", "locationd-command 1\n10\n", "locationd-command 2\n10\ntrue",
    "locationd-command 1\n010\ntrue", "locationd-command 1\n301\ntrue", "locationd-command 1\n-1\ntrue",
    "locationd-command 1\n\ntrue",
    "locationd-command 1\n10\ntr\0ue", "\u{FEFF}locationd-command 1\n10\ntrue",
  ]) func damagedCommandsAreNotRun(_ text: String) throws {
    let token = try book.note(try #require(SavedCommand("true")))
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(book.folder)/\(token.text)"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: "\(book.folder)/\(token.text)")
    #expect(throws: CommandStoreError.damaged(size: text.utf8.count)) { try book.command(token) }
  }

  @Test func aFileThatIsTooLongIsNotRead() throws {
    let token = try book.note(try #require(SavedCommand("true")))
    let path = "\(book.folder)/\(token.text)"
    try Data(repeating: 0x20, count: 1 << 20).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(throws: CommandStoreError.self) { try book.command(token) }
  }

  @Test func aHomeThatIsNotThereIsReportedFromACommandThatIsNot() {
    #expect(book.isReachable)
    #expect(!CommandStore(home: home.path + "/locked").isReachable)
    #expect(!CommandStore(home: "").isReachable)
  }

  private func mode(_ name: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: book.folder + name)
    return (attributes?[.posixPermissions] as? NSNumber)?.intValue
  }
}
