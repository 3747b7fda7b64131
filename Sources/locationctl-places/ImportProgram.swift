import LinuxIO
import LocationStore
import PlacesCore
import PlacesImport
import PlacesStore

/// `locationctl places import`: starts the process that reads the extract, shows its progress, and publishes its file.
enum ImportProgram {
  /// The temporary files and the result take at most so many times the size of the extract.
  static let roomFactor = 8

  private struct Options {
    var path = ""
    var name: String?
    var scope = PlacesFolders.Scope.user
    var replaces = false
    var isJSON = false
    /// Where the extract was fetched from, and the time of the file there.
    var source: String?
    var sourceTime: String?

    /// The extract in messages.
    var shown: String { source ?? path }
  }

  static func run(_ arguments: [String]) -> ExitStatus {
    var options = Options()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--name": options.name = rest.popFirst() ?? ""
      case "--system": options.scope = .system
      case "--replace": options.replaces = true
      case "--json": options.isJSON = true
      case "--source": options.source = rest.popFirst()
      case "--source-time": options.sourceTime = rest.popFirst()
      case _ where options.path.isEmpty && (!argument.hasPrefix("-") || argument == "-"): options.path = argument
      default: return fail(.usage, "unexpected argument '\(argument)'")
      }
    }
    guard !options.path.isEmpty else { return fail(.usage, "which file? 'locationctl places import FILE.osm.pbf'") }
    let name = options.name ?? PlacesFolders.name(ofExtract: options.path)
    guard PlacesFolders.isName(name) else {
      return fail(
        .usage, "'\(name)' cannot be a name: use letters, digits, '.', '_' and '-', as in --name liechtenstein")
    }
    guard let folder = PlacesFolders.folder(of: options.scope) else {
      return fail(.cannotWrite, "neither XDG_DATA_HOME nor HOME is set: set one, or use --system")
    }
    return start(options, name: name, folder: folder)
  }

  private static func start(_ options: Options, name: String, folder: String) -> ExitStatus {
    let input: InputFile
    do throws(InputFileError) {
      input = try InputFile(path: options.path)
    } catch {
      switch error {
      case .doesNotExist: return fail(.badInput, "\(options.path): there is no such file")
      case .isNotARegularFile: return fail(.badInput, "\(options.path) is not a regular file: an extract is read twice")
      case .system(let error):
        return fail(error.isPermission ? .denied : .badInput, "\(options.shown): \(error.description)")
      }
    }
    let target = "\(name).\(PlacesFormat.fileExtension)"
    do throws(SystemError) {
      let size = try input.size()
      try PrivateFolder.make(folder, isPublic: options.scope == .system)
      if PrivateFolder.hasFile(target, in: folder), !options.replaces {
        return fail(.cannotWrite, "\(folder)/\(target) exists: add --replace, or another --name")
      }
      let free = try FileSystemCapacity(at: folder).free
      let (room, isAbsurd) = size.multipliedReportingOverflow(by: roomFactor)
      let needed = room &+ (16 << 20)
      guard !isAbsurd, free >= needed else {
        return fail(
          .cannotWrite, "\(folder) has \(free >> 20) MB of free space, and the import needs up to \(needed >> 20) MB")
      }
      let work = try WorkFolder(in: folder)
      let hash = try Self.hash(input)
      if Confinement.isRoot { try work.give(to: Confinement.nobody) }
      var header: [PlacesHeader.Key: String] = [
        .name: name, .source: options.shown, .sourceHash: hash, .sourceSize: String(size),
        .license: PlacesHeader.license,
        .attribution: PlacesHeader.attribution, .importer: "1",
      ]
      header[.sourceTime] = options.sourceTime
      let worker = try WorkerProcess(
        "/proc/self/exe", ["read"] + header.map { "\($0.key.rawValue)=\($0.value)" }, input: input, folder: work.path)
      let outcome = try follow(worker, options)
      guard case .made(let line) = outcome else {
        if case .ended(let status) = outcome { return status }
        return .cannotWrite
      }
      worker.end()
      // A process that its input has taken over could have written anything, and readers trust the files of their user and of root:
      // a copy that no such process can change is checked as a whole.
      let checked = try WorkFolder(in: folder)
      try checked.copy(
        ImportWorker.result, from: work, isPublic: Confinement.isRoot, largest: ImportWorker.largestFile(size))
      let checker = try WorkerProcess("/proc/self/exe", ["check"], input: input, folder: checked.path)
      if case .ended(let status) = try follow(checker, options) { return status }
      try checked.publish(ImportWorker.result, as: target, isPublic: options.scope == .system)
      return finish(line, options, name: name, path: "\(folder)/\(target)")
    } catch {
      return fail(error.isPermission ? .denied : .cannotWrite, "\(folder): \(error.description)")
    }
  }

  private static func hash(_ input: borrowing InputFile) throws(SystemError) -> String {
    var hash = SHA256()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset = 0
    while true {
      let count = try input.read(into: &buffer, at: offset)
      guard count > 0 else { break }
      hash.add(buffer[..<count])
      offset += count
    }
    return hash.finish()
  }

  private enum Outcome {
    case made(line: [String])
    case ended(ExitStatus)
  }

  private static func follow(_ worker: WorkerProcess, _ options: Options) throws(SystemError) -> Outcome {
    let showsProgress = Terminal.isTerminal(2) && Terminal.isInForeground(2)
    var done: [String]?
    var failure: [String]?
    var hasWarned = false
    defer { if showsProgress { StandardError.write(Array("\r\u{1B}[K".utf8)) } }
    while true {
      switch try worker.next() {
      case .line(let line):
        let words = line.split(separator: " ", maxSplits: 5).map(String.init)
        switch words.first {
        case "progress":
          if showsProgress, words.count == 2, let percent = Int(words[1]) {
            StandardError.write(Array("\rImporting: \(min(max(percent, 0), 100)) %".utf8))
          }
        case "unconfined":
          if !hasWarned, words.count == 2, let gaps = Int(words[1]) { warn(Confinement.Gaps(rawValue: gaps)) }
          hasWarned = true
        case "done": done = words
        case "failed": failure = line.split(separator: " ", maxSplits: 2).map(String.init)
        default: break
        }
      case .signal(let signal):
        worker.end()
        return .ended(
          signal == SignalNumber.interrupt ? .interrupted : signal == SignalNumber.hangUp ? .hungUp : .terminated)
      case .ended(let ending):
        if let failure { return .ended(fail(failure, options)) }
        if case .exited(0) = ending, let done, done.count == 6 { return .made(line: done) }
        return .ended(
          fail(
            .badInput,
            "\(options.shown): the process that reads it has failed (\(text(of: ending))): the file may be damaged"))
      }
    }
  }

  private static func warn(_ gaps: Confinement.Gaps) {
    let powers: [(Confinement.Gaps, String)] = [
      (.files, "opening your other files"), (.truncation, "shortening your other files"),
      (.network, "using the network"), (.processes, "starting programs"),
    ]
    let text = powers.filter { gaps.contains($0.0) }.map { "from \($0.1)" }.joined(separator: ", and ")
    guard !text.isEmpty else { return }
    StandardError.write(
      Array(
        "locationctl: warning: this kernel does not keep the process that reads the extract \(text): import only extracts that you trust.\n"
          .utf8))
  }

  private static func text(of ending: ChildProcess.Ending) -> String {
    switch ending {
    case .exited(let status): "exit status \(status)"
    case .killed(let signal):
      signal == SignalNumber.busError ? "signal \(signal): is the disk full?" : "signal \(signal)"
    }
  }

  private static func fail(_ words: [String], _ options: Options) -> ExitStatus {
    let detail = words.count > 2 ? words[2] : ""
    let path = options.shown
    switch words.count > 1 ? words[1] : "" {
    case "malformed": return fail(.badInput, "\(path) is damaged, or is no extract in PBF format: \(detail)")
    case "unsorted":
      return fail(
        .badInput,
        "\(path) is not sorted (\(detail)): run 'osmium sort \(path) -o sorted.osm.pbf', and import that file")
    case "zstd":
      return fail(
        .badInput,
        "\(path) is compressed with zstd: run 'osmium cat \(path) -o FILE.osm.pbf -f pbf,pbf_compression=zlib', and import that file"
      )
    case "check":
      return fail(.badInput, "\(path): the process that reads it has written a damaged file (\(detail))")
    case "memory": return fail(.cannotWrite, "\(path): out of memory")
    case "database": return fail(.cannotWrite, "\(path): cannot write: \(detail)")
    default: return fail(.cannotWrite, "\(path): \(detail)")
    }
  }

  private static func finish(_ words: [String], _ options: Options, name: String, path: String) -> ExitStatus {
    let (addresses, streets, incomplete) = (Int(words[1]) ?? 0, Int(words[2]) ?? 0, Int(words[3]) ?? 0)
    let text: String
    if options.isJSON {
      func quoted(_ text: String) -> String {
        "\""
          + text.unicodeScalars.map { scalar in
            scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : scalar.value < 0x20 ? " " : String(scalar)
          }.joined() + "\""
      }
      text =
        "{\"schema\":1,\"name\":\(quoted(name)),\"path\":\(quoted(path)),\"scope\":\(quoted(options.scope.rawValue)),\"addresses\":\(addresses),"
        + "\"streets\":\(streets),\"incompleteAreas\":\(incomplete),\"dataDate\":\(words[5] == "-" ? "null" : quoted(words[5])),"
        + "\"license\":\(quoted(PlacesHeader.license)),\"attribution\":\(quoted(PlacesHeader.attribution))}\n"
    } else {
      let date = words[5] == "-" ? "" : ", data of \(words[5])"
      text =
        "Imported \(name): \(addresses) addresses, \(streets) streets\(date). \(PlacesHeader.attribution) (ODbL 1.0).\n"
    }
    return StandardOutput.write(Array(text.utf8)) == .written ? .done : .cannotWrite
  }

  private static func fail(_ status: ExitStatus, _ message: String) -> ExitStatus { status.because(message) }
}
