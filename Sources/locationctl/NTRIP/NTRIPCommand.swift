import ArgumentParser
import Geodesy
import LinuxIO
import LocationIPC
import LocationdConfiguration
import LocationdConfigurationFiles
import LocationdHost
import NetworkSources
import TrackFormats

/// `locationctl ntrip`: corrections for RTK from a caster.
struct NTRIPCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ntrip", abstract: "Get RTK corrections from an NTRIP caster for receivers that can use them.",
    discussion: """
      Write the address and the account of the caster to a file in \(CasterFile.folder) with mode 0600, owned by the user locationd:

        url=ntrips://caster.example.org:443/MOUNT
        user=NAME
        password=PASSWORD

      'list' finds the mount points, 'use' lets locationd use the file, and 'status' shows the age of the corrections.
      """,
    subcommands: [List.self, Use.self, Off.self, Status.self])

  /// `ntrip list URL|NAME`.
  struct List: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the mount points of a caster, the nearest first if the position is known.")
    @Argument(
      help: ArgumentHelp(
        "The address of the caster, such as ntrip://caster.example.org:2101, or the name of a file in \(CasterFile.folder).",
        valueName: "caster"), completion: NTRIPCommand.names)
    var caster: String
    @OptionGroup var report: ReportStyle

    func execute() throws -> CommandStatus {
      var account: CasterCredentials?
      let address: CasterAddress
      if CorrectionSelection.isName(caster), !caster.contains(":") {
        do throws(CasterFile.Problem) {
          let configuration = try CasterFile.read(caster, root: NTRIPCommand.root).0
          address = configuration.address
          account = configuration.credentials
        } catch {
          return Diagnostics.report(
            FailureMessage(TerminalText.sanitized(error.sentenceOfCommand, limit: 400), .badInput))
        }
      } else {
        do throws(NetworkSourceError) {
          address = try CasterAddress(parsing: caster)
        } catch {
          throw ValidationError(error.sentence)
        }
      }
      return MountListRun(address, credentials: account, release: Version.current).run { mounts in
        let near = MountPoint.sorted(mounts, near: MountTable.position)
        return Results.write(report.isJSON ? MountTable.jsonLines(near) : MountTable.table(near)) ?? .done
      }
    }
  }

  /// `ntrip use NAME`.
  struct Use: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "use", abstract: "Let locationd use the corrections of a caster.")
    @Argument(
      help: ArgumentHelp("The name of a file in \(CasterFile.folder), or rtcm:FILE for tests.", valueName: "name"),
      completion: NTRIPCommand.names)
    var name: String
    @Option(
      help: ArgumentHelp(
        "The path, ID or name of a receiver that gets the corrections although it does not identify itself. Repeatable.",
        valueName: "device"))
    var rtcm: [String] = []
    @OptionGroup var messages: MessageOptions

    func execute() throws -> CommandStatus {
      guard let selection = CorrectionSelection(parsing: name) else {
        throw ValidationError(
          "'\(TerminalText.sanitized(NetworkSource.withoutCredentials(name)))' is not the name of a file in \(CasterFile.folder): use letters, digits, '-', '_' and '.'."
        )
      }
      if case .caster(let name) = selection {
        do throws(CasterFile.Problem) {
          let caster = try CasterFile.read(name, root: NTRIPCommand.root).0
          let accounts = AccountFiles(SystemFolders().accounts)
          if let user = NTRIPCommand.serviceUser(accounts) {
            try CasterFile.check(name, root: NTRIPCommand.root, readableBy: user, accounts: accounts)
          }
          if caster.credentials != nil, caster.address.exposesCredentials {
            Diagnostics.print(
              "The account of this caster is sent unencrypted: write 'ntrips://' instead of 'ntrip://' in its file if the caster has TLS."
            )
          }
        } catch {
          return Diagnostics.report(
            FailureMessage(TerminalText.sanitized(error.sentenceOfCommand, limit: 400), .badInput))
        }
      }
      let receivers = rtcm.isEmpty ? [] : [(SettingKey.correctedReceivers.name, rtcm.joined(separator: ","))]
      return try ConfigCommand.set(receivers + [(SettingKey.corrections.name, name)])
    }
  }

  /// `ntrip off`.
  struct Off: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "off", abstract: "Let locationd use no corrections.")
    @OptionGroup var messages: MessageOptions

    func execute() throws -> CommandStatus { try ConfigCommand.set(SettingKey.corrections.name, to: "off") }
  }

  /// `ntrip status`.
  struct Status: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "status", abstract: "Show the state and the age of the corrections.")
    @OptionGroup var report: ReportStyle

    func execute() throws -> CommandStatus {
      guard let status = ServiceStatus.ofDaemon else { return Diagnostics.report(.noDaemon) }
      guard !status.isSkyHidden else {
        return Diagnostics.report(
          FailureMessage("Only users with access to the exact location see the state of the corrections.", .denied))
      }
      if report.isJSON { return Results.write(CorrectionDescription.object(status.corrections).line) ?? .done }
      return Results.write(TextTable.sentences(CorrectionDescription.text(status.corrections))) ?? .done
    }
  }

  /// The user as whom the service runs, or will run.
  private static func serviceUser(_ accounts: AccountFiles) -> UInt32? {
    guard let process = ServiceStatus.ofDaemon?.processID else { return accounts.number(ofUser: "locationd") }
    return FileStatus.owner(of: "/proc/\(process)")
  }

  /// The files of casters, for shells that complete.
  fileprivate static let names = CompletionKind.shellCommand("ls \(CasterFile.folder) 2>/dev/null")

  /// The root of the files of the configuration.
  static var root: String { ProcessEnvironment.value(SettingKey.rootVariable) ?? "" }
}
