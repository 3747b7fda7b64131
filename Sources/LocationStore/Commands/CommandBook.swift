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
