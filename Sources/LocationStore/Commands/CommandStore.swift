package import LinuxIO
package import LocationPolicy

/// A user's saved commands, in a folder that only that user can write: an attacker who controls the service can run no
/// others.
package struct CommandStore: Hashable, Sendable {
  private let home: String

  /// The folder depends on the home folder alone: the agent that runs the commands has no session, and therefore no
  /// `XDG_STATE_HOME`.
  ///
  /// - Parameter home: the path of the user's home folder.
  package init(home: String) { self.home = home }

  package var folder: String { "\(home)/.local/state/locationd/commands" }

  /// Whether the user's home folder is available. A home folder on a disk that is unlocked at login is not available
  /// before that.
  package var isReachable: Bool { (try? FileStatus.expectFolder(home)) != nil }

  /// Saves a command, which is on disk when this returns.
  package func note(_ command: SavedCommand) throws(SystemError) -> CommandToken {
    let token = CommandToken.random()
    try StateFile.write(path(token), command.bytes)
    return token
  }

  package func command(_ token: CommandToken) throws(CommandStoreError) -> SavedCommand {
    let bytes: [UInt8]
    do throws(OwnFileError) {
      bytes = try OwnFile.read(path(token), maximumSize: SavedCommand.longestFile)
    } catch {
      throw error == .doesNotExist ? .unknown : .notOwn(error)
    }
    guard let command = SavedCommand(bytes) else { throw .damaged(size: bytes.count) }
    return command
  }

  /// Deletes a command; a missing one is no error.
  package func remove(_ token: CommandToken) throws(SystemError) { try FileChange.remove(path(token)) }

  /// The tokens of all commands, in unspecified order.
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

/// Why a command is not available.
package enum CommandStoreError: Error, Hashable, Sendable {
  case unknown
  /// Another user may have written the command's file, or the file cannot be read.
  case notOwn(OwnFileError)
  /// The command's file, of this many bytes, is not in the form in which commands are written.
  case damaged(size: Int)
}

/// A command as saved by its user: a text for `/bin/sh -c`, and its time limit.
package struct SavedCommand: Hashable, Sendable {
  /// The command line; contains no NUL.
  package let text: String
  /// Time limit, seconds.
  package let budgetSeconds: Int

  package static let budgets = 1...300
  package static let usualBudget = 10
  /// Maximum length, bytes.
  package static let longestText = 16 * 1024

  /// `nil` if the text is empty, too long or contains a NUL, or if the budget is out of range.
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

  /// Maximum size of a file, bytes.
  static let longestFile = heading.utf8.count + longestText + 5

  private static let heading = "locationd-command 1"

  /// Reads the file of a command; `nil` if it does not have exactly the form that the property `bytes` writes.
  init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count == 3, lines[0].elementsEqual(Self.heading.utf8),
      let budget = Int(String(decoding: lines[1], as: UTF8.self)), lines[1].elementsEqual("\(budget)".utf8),
      let text = String(validating: lines[2], as: UTF8.self)
    else { return nil }
    self.init(text, budgetSeconds: budget)
  }
}
