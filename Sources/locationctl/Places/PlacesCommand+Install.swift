import ArgumentParser
import LinuxIO
import PlacesStore
import Positioning

extension PlacesCommand {
  /// `places install`.
  struct Install: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "install",
      abstract: "Fetch an extract of OpenStreetMap from a server that you have chosen, and import it.",
      discussion: """
        No server is preset: LOCATIOND_PLACES_MIRROR or --mirror names it, such as https://download.geofabrik.de with the name \
        europe/liechtenstein. The server's name, the size and the license are shown before anything is fetched.
        """)
    @Argument(help: ArgumentHelp("The path of the extract on the server, without -latest.osm.pbf.", valueName: "name"))
    var extract: String
    @OptionGroup var mirror: MirrorOption
    @Option(
      help: ArgumentHelp("The name of the imported data (default: the last part of the path).", valueName: "name"))
    var name: String?
    @OptionGroup var fetch: FetchOptions

    func validate() throws {
      if let name, !PlacesFolders.isName(name) {
        throw ValidationError("Use letters, digits, '.', '_' and '-' in the name.")
      }
    }

    func execute() -> CommandStatus {
      do throws(FailureMessage) {
        let server = try mirror.address()
        guard let address = ExtractMirror.address(of: extract, at: server) else {
          throw FailureMessage(
            "'\(TerminalText.sanitized(extract))' is no name of an extract: use one such as europe/liechtenstein.",
            .usage)
        }
        let name = name ?? PlacesFolders.name(ofExtract: extract)
        if PlacesFolders.files([fetch.scope]).contains(where: { $0.name == name }) {
          throw FailureMessage(
            "'\(name)' is installed: run 'locationctl places update \(name)', or choose another --name.", .cannotWrite)
        }
        let session = try ExtractMirror()
        let file = try session.file(at: address)
        return try fetch.install(file, as: name, from: session)
      } catch {
        return Diagnostics.report(error)
      }
    }
  }

  /// `places update`.
  struct Update: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "update",
      abstract: "Fetch installed extracts again that are newer on their server.",
      discussion: "Only data that 'locationctl places install' has fetched is updated, from the same server.")
    @Argument(
      help: ArgumentHelp("The name of the imported data (default: all).", valueName: "name"),
      completion: ServiceNames.places)
    var name: String?
    @OptionGroup var fetch: FetchOptions

    func execute() -> CommandStatus {
      do throws(FailureMessage) {
        let found = try installed()
        let session = try ExtractMirror()
        for (name, header, address) in found {
          let file = try session.file(at: address)
          if let time = file.time, header[.sourceTime] == String(time), header[.sourceSize] == String(file.size) {
            Diagnostics.print("\(name) is up to date.")
            continue
          }
          let status = try fetch.install(file, as: name, from: session, replaces: true)
          guard status == .done else { return status }
        }
        return .done
      } catch {
        return Diagnostics.report(error)
      }
    }

    /// The data that came from a server.
    private func installed() throws(FailureMessage) -> [(name: String, header: PlacesHeader, address: WebAddress)] {
      var found: [(name: String, header: PlacesHeader, address: WebAddress)] = []
      for entry in PlacesFolders.files([fetch.scope]) where name == nil || entry.name == name {
        // A damaged file, or one of an older version, is fetched again if its header can be read.
        let file = try? PlacesFile(path: entry.path)
        if let file, let address = WebAddress(file.header[.source]) {
          found.append((entry.name, file.header, address))
        } else if name != nil {
          throw FailureMessage(
            "'\(TerminalText.sanitized(entry.name))' was not fetched from a server: import its file again with --replace.",
            .badInput)
        }
      }
      guard !found.isEmpty else {
        throw FailureMessage(
          name.map { "There is no imported data named '\(TerminalText.sanitized($0))': see 'locationctl places list'." }
            ?? "No data was fetched from a server: see 'locationctl places install --help'.", .badInput)
      }
      return found
    }
  }
}

/// `--mirror`.
struct MirrorOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The address of the server (default: the environment variable LOCATIOND_PLACES_MIRROR).", valueName: "url"))
  var mirror: String?

  func address() throws(FailureMessage) -> WebAddress {
    guard let text = mirror ?? ProcessEnvironment.value(ExtractMirror.variable), !text.isEmpty else {
      throw FailureMessage(
        "No server is chosen: set \(ExtractMirror.variable), or add --mirror with its address, as locationctl-places(1) explains.",
        .usage)
    }
    guard let address = WebAddress(text) else {
      throw FailureMessage("'\(TerminalText.sanitized(text))' is no http or https address.", .usage)
    }
    return address
  }
}

/// How extracts are fetched and imported.
struct FetchOptions: ParsableArguments {
  @Flag(help: "For all users of this machine, as root. Without it, for your user.")
  var system = false
  @Flag(help: "Do not ask before fetching.")
  var force = false
  @OptionGroup var plain: PlainOption

  var scope: PlacesFolders.Scope { system ? .system : .user }

  /// Shows what is fetched, and fetches and imports it if the user agrees.
  func install(
    _ file: ExtractMirror.RemoteFile, as name: String, from mirror: ExtractMirror, replaces: Bool = false
  ) throws(FailureMessage) -> CommandStatus {
    guard let folder = PlacesFolders.folder(of: scope) else {
      throw FailureMessage("Neither XDG_DATA_HOME nor HOME is set: set one, or use --system.", .cannotWrite)
    }
    Diagnostics.print(
      "\(TerminalText.sanitized(file.address.text)): \(Self.megabytes(file.size)) from the server "
        + "\(TerminalText.sanitized(file.address.host)). \(PlacesHeader.attribution), Open Database License 1.0.")
    try ask()
    do throws(SystemError) {
      try PrivateFolder.make(folder, isPublic: system)
      let free = try FileSystemCapacity(at: folder).free
      guard free / 6 >= file.size else {
        throw SystemError(operation: "fetch the file", errno: SystemError.noSpace)
      }
    } catch {
      throw FailureMessage(
        "\(TerminalText.sanitized(folder)): \(error.description).", error.isPermission ? .denied : .cannotWrite)
    }
    let progress = CountedProgress("MB", of: file.size >> 20)
    defer { progress.clear() }
    let fetched = try mirror.fetch(file, in: folder) { progress.show($0 >> 20) }
    progress.clear()
    return try run(fetched, file, name, replaces)
  }

  private func ask() throws(FailureMessage) {
    guard !force else { return }
    guard TerminalQuestion.isPossible else {
      throw FailureMessage(
        "Nothing was fetched, because there is no terminal to ask for confirmation: add --force.", .usage)
    }
    guard TerminalQuestion.ask("Fetch it?") else { throw FailureMessage("Nothing was fetched.", .interrupted) }
  }

  /// Imports the file, which is the other program's standard input.
  private func run(
    _ fetched: borrowing NamelessFile, _ file: ExtractMirror.RemoteFile, _ name: String, _ replaces: Bool
  ) throws(FailureMessage) -> CommandStatus {
    var arguments = ["import", "/proc/self/fd/0", "--name", name, "--source", file.address.text]
    if let time = file.time { arguments += ["--source-time", String(time)] }
    if system { arguments.append("--system") }
    if replaces { arguments.append("--replace") }
    var failure = SystemError(operation: "exec", errno: SystemError.noSuchThing)
    for program in SiblingProgram.paths(of: "locationctl-places") {
      do throws(InputFileError) {
        let input = try fetched.reopened()
        do throws(SystemError) {
          let worker = try WorkerProcess(program, arguments, input: input, folder: "/")
          while true {
            switch try worker.next() {
            case .line(let line):
              if let failure = Results.write(Array("\(line)\n".utf8)) { return failure }
            case .signal(let signal):
              worker.end(by: signal)
              return CommandStatus(signal: signal)
            case .ended(.exited(let status)): return CommandStatus(rawValue: status) ?? .cannotWrite
            case .ended(.killed): throw SystemError(operation: "import", errno: SystemError.unreadable)
            }
          }
        } catch {
          failure = error
        }
      } catch {
        throw FailureMessage("The fetched file cannot be read.", .cannotWrite)
      }
      guard failure.isAbsence else { break }
    }
    throw PlacesCommand.Import.cannotStart(failure)
  }

  private static func megabytes(_ size: Int) -> String {
    size < 10_000_000
      ? "\((size + 99_999) / 100_000 / 10).\((size + 99_999) / 100_000 % 10) MB" : "\(size / 1_000_000) MB"
  }
}
