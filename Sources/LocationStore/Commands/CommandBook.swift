package import LinuxIO
package import LocationPolicy

/// The commands that a user has noted, where only that user can write: whoever takes over the service can have them run, and no others.
package struct CommandBook: Hashable, Sendable {
  private let home: String

  /// By the home alone: the one that runs the commands is started by no session, and knows nothing of `XDG_STATE_HOME`.
  ///
  /// - Parameter home: a path.
  package init(home: String) { self.home = home }

  package var folder: String { "\(home)/.local/state/locationd/commands" }

  /// Whether the user's home is there, and not on a disk that is unlocked when they come.
  package var isReachable: Bool { (try? FileStatus.expectFolder(home)) != nil }

  /// Notes a command, which is on the disk then.
  package func note(_ command: NotedCommand) throws(SystemError) -> CommandToken {
    let token = CommandToken.random()
    try StateFile.write(path(token), command.bytes)
    return token
  }

  package func command(_ token: CommandToken) throws(CommandBookError) -> NotedCommand {
    let bytes: [UInt8]
    do throws(OwnFileError) {
      bytes = try OwnFile.read(path(token), maximumSize: NotedCommand.longestFile)
    } catch {
      throw error == .doesNotExist ? .unknown : .notOwn(error)
    }
    guard let command = NotedCommand(bytes) else { throw .damaged(size: bytes.count) }
    return command
  }

  /// Forgets a command; one that is not there is forgotten already.
  package func remove(_ token: CommandToken) throws(SystemError) { try FileChange.remove(path(token)) }

  /// All of them, in no order.
  package func tokens() throws(SystemError) -> [CommandToken] {
    do throws(SystemError) {
      return try PrivateFolder.files(in: folder).compactMap { CommandToken($0.name) }
    } catch {
      guard error.isAbsence else { throw error }
      return []
    }
  }

  private func path(_ token: CommandToken) -> String { "\(folder)/\(token.text)" }
}

/// Why there is no such command.
package enum CommandBookError: Error, Hashable, Sendable {
  case unknown
  /// Its file is not surely the user's own.
  case notOwn(OwnFileError)
  /// Its file, of so many bytes, is not as it was written.
  case damaged(size: Int)
}

/// A command as its user has noted it: what `/bin/sh -c` is to run, and how long it may.
package struct NotedCommand: Hashable, Sendable {
  /// The text, bytes without a NUL.
  package let text: String
  /// How long it may run.
  package let budgetSeconds: Int

  package static let budgets = 1...300
  package static let usualBudget = 10
  /// Bytes.
  package static let longestText = 16 * 1024

  /// `nil`: no text, one that is too long or has a NUL in it, or another budget than there are.
  package init?(_ text: String, budgetSeconds: Int = usualBudget) {
    guard !text.isEmpty, text.utf8.count <= Self.longestText, !text.utf8.contains(0),
      Self.budgets.contains(budgetSeconds)
    else { return nil }
    (self.text, self.budgetSeconds) = (text, budgetSeconds)
  }

  /// ```
  /// locationd-command 1
  /// BUDGET
  /// TEXT, to the end
  /// ```
  var bytes: [UInt8] { Array("\(Self.heading)\n\(budgetSeconds)\n\(text)".utf8) }

  /// Bytes of the longest file.
  static let longestFile = heading.utf8.count + longestText + 5

  private static let heading = "locationd-command 1"

  /// `nil`: it is not exactly what `bytes` gives.
  init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count == 3, lines[0].elementsEqual(Self.heading.utf8),
      let budget = Int(String(decoding: lines[1], as: UTF8.self)), lines[1].elementsEqual("\(budget)".utf8),
      let text = String(validating: lines[2], as: UTF8.self)
    else { return nil }
    self.init(text, budgetSeconds: budget)
  }
}
