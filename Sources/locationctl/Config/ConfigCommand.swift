import ArgumentParser
import LinuxIO
import LocationdConfiguration
import LocationdConfigurationFiles
import LocationdHost
import LocationdService

/// `locationctl config`: shows, changes and checks the settings of locationd.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show, change or check the settings of locationd.",
    discussion: """
      The settings are in /etc/locationd.conf and in the files /etc/locationd.conf.d/*.conf. 'set' and 'unset' change only the file \
      /etc/locationd.conf.d/\(DropInText.name). Environment variables take precedence over the files, and options over both. \
      'man locationd.conf' describes all settings.
      """,
    subcommands: [Get.self, Set.self, Unset.self, Check.self])

  /// The keys of the service, for shells that complete.
  fileprivate static var keys: CompletionKind { .list(SettingKey.allCases.map(\.name)) }

  /// `config get [KEY]`.
  struct Get: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "get", abstract: "Show one setting or all settings.",
      discussion: """
        Shows the values from the configuration files and /etc/default/locationd, which apply to the daemon that systemd starts. \
        The output also includes variables in the environment of this command, which that daemon does not see. In a pipe, and \
        with --json, each line also has the default and the origin.
        """)
    @Argument(
      help: ArgumentHelp("The setting to show. Default: all settings.", valueName: "key"),
      completion: ConfigCommand.keys)
    var key: String?
    @Flag(help: "Show where each value comes from: a file and its line, a variable, or default.")
    var origin = false
    @OptionGroup var report: ReportStyle

    func execute() throws -> CommandStatus {
      if let key { try ConfigCommand.checked(key) }
      let configuration = ConfigurationFiles.ofProcess.load(ofUnit: true)
      for problem in configuration.problems { Diagnostics.print(TerminalText.sanitized(problem.sentence, limit: 1000)) }
      let entries = configuration.entries.filter { key == nil || $0.key == key }
      if let key, entries.isEmpty {
        throw ValidationError("\(TerminalText.sanitized(key)) is not set: there is no such receiver in the files.")
      }
      if report.isJSON { return Results.write(SettingTable.jsonLines(entries)) ?? .done }
      if let only = entries.first, key != nil, !origin {
        return Results.write(Array("\(TerminalText.sanitized(only.value ?? "", limit: 2000))\n".utf8)) ?? .done
      }
      return Results.write(SettingTable.table(entries, showsOrigin: origin)) ?? .done
    }
  }

  /// `config set KEY VALUE`.
  struct Set: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Change a setting.",
      discussion: """
        Writes the setting to /etc/locationd.conf.d/\(DropInText.name). An invalid value is refused. If a reload is enough, and you may \
        send signals to the running daemon, the change applies at once. Otherwise, the command prints how to apply it.
        """)
    @Argument(
      help: ArgumentHelp("The setting, or receiver.NAME.id or receiver.NAME.port.", valueName: "key"),
      completion: ConfigCommand.keys)
    var key: String
    @Argument(help: ArgumentHelp("The new value.", valueName: "value"))
    var value: String
    @OptionGroup var messages: MessageOptions

    func execute() throws -> CommandStatus { try ConfigCommand.set(key, to: value) }
  }

  /// `config unset KEY`.
  struct Unset: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "unset", abstract: "Undo 'config set'. The value from another file, or the default, applies again.")
    @Argument(help: ArgumentHelp("The setting.", valueName: "key"), completion: ConfigCommand.keys)
    var key: String
    @OptionGroup var messages: MessageOptions

    func execute() throws -> CommandStatus {
      try ConfigCommand.checked(key)
      let files = ConfigurationFiles.ofProcess
      var isFound = false
      if let status = ConfigCommand.change(files, { isFound = $0.unset(key) }) { return status }
      guard isFound else {
        let place = files.load(ofUnit: true).entry(key).map(\.origin)
        let remedy =
          if case .file(let path, _)? = place { "it is set in \(TerminalText.sanitized(path))" } else {
            "nothing to undo"
          }
        return Diagnostics.report(
          FailureMessage("\(TerminalText.sanitized(key)) was not set by 'config set': \(remedy).", .usage))
      }
      return SettingApplication(key, in: files).apply(nil)
    }
  }

  /// `config check [FILE]`.
  struct Check: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Check the settings for misspelled names and invalid values.",
      discussion: """
        Checks all configuration files, /etc/default/locationd and the environment. With a file, checks only that file, for example \
        before you install it. The exit status is 65 if anything is wrong.
        """)
    @Argument(help: ArgumentHelp("Check only this file.", valueName: "file"), completion: .file())
    var file: String?
    @OptionGroup var report: ReportStyle

    func execute() throws -> CommandStatus {
      let problems: [ConfigurationProblem]
      if let file {
        guard let found = ConfigurationFiles.ofProcess.problems(of: file) else {
          return Diagnostics.report(
            FailureMessage("There is no file \(TerminalText.sanitized(file)): check the path.", .badInput))
        }
        guard !ConfigurationFiles.isFolder(file) else {
          return Diagnostics.report(
            FailureMessage(
              "\(TerminalText.sanitized(file)) is a folder: specify a file, or leave it out to check all files.",
              .badInput
            ))
        }
        problems = found
      } else {
        problems = ConfigurationFiles.ofProcess.load(ofUnit: true).problems
      }
      guard !problems.isEmpty else { return CommandStatus.done.confirmed("No problems found.") }
      return Results.write(
        report.isJSON ? SettingTable.jsonLines(problems) : SettingTable.lines(problems)) ?? .badInput
    }
  }

  /// Writes a setting to the drop-in, and applies it as far as this user may.
  static func set(_ key: String, to value: String) throws -> CommandStatus { try set([(key, value)]) }

  /// The same for several settings with one reload: a caster counts connections. The last one is reported.
  static func set(_ settings: [(key: String, value: String)]) throws -> CommandStatus {
    let files = ConfigurationFiles.ofProcess
    let receivers = files.load(ofUnit: true).settings.receivers.receivers
    for (key, value) in settings {
      do throws(SettingRefusal) {
        try DropInText.check(key, value, receivers: receivers)
      } catch {
        throw ValidationError(error.sentence)
      }
    }
    if let status = change(files, { text in for (key, value) in settings { text.set(key, to: value) } }) {
      return status
    }
    for (key, value) in settings { SocketUnits(key)?.apply(value) }
    guard let last = settings.last else { return .done }
    return SettingApplication(last.key, in: files).apply(last.value)
  }

  /// Throws a usage error if there is no such setting.
  fileprivate static func checked(_ key: String) throws {
    do throws(SettingRefusal) {
      try DropInText.check(key)
    } catch {
      throw ValidationError(error.sentence)
    }
  }

  /// Changes the drop-in; returns the exit status if that fails.
  static func change(_ files: ConfigurationFiles, _ body: (inout DropInText) -> Void) -> CommandStatus? {
    do throws(DropInFailure) {
      let old = try files.ownDropIn
      var new = old
      body(&new)
      if new != old { try files.write(new) }
      return nil
    } catch {
      return Diagnostics.report(FailureMessage(error, of: files.dropIn))
    }
  }
}

extension FailureMessage {
  fileprivate init(_ failure: DropInFailure, of path: String) {
    let name = TerminalText.sanitized(path)
    switch failure {
    case .isLink(let target):
      self.init(
        "\(name) is a symbolic link to \(TerminalText.sanitized(target)), which this command does not change: edit that file, or remove the link.",
        .cannotWrite)
    case .failed(let error):
      if let message = FailureMessage(fullDiskOf: path, error, "the settings are unchanged") {
        self = message
        return
      }
      let isDenied = SystemErrorKind(error.errno) == .denied
      let remedy = isDenied ? "run the command with sudo" : "check the file and its folder"
      self.init(
        "Cannot \(error.operation) \(name) (\(ErrorDescription.of(error.errno))): \(remedy).",
        isDenied ? .denied : .cannotWrite)
    }
  }
}
