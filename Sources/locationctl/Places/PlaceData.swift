import LinuxIO
import PlacesCore
import PlacesData
import PlacesStore

/// All data that answers queries for places on this machine.
struct PlaceData {
  /// The data that is installed with this program; `nil` if it is not installed.
  let world: WorldPlaces?
  /// The files that 'locationctl places import' made for this user and for the system.
  let imported: [(entry: PlacesFolders.Entry, file: PlacesFile)]
  /// The imported files that cannot be used.
  let unusable: [PlacesFolders.Entry]
  let finder: PlaceFinder

  /// Opens the files; throws the message if there are none, or if the data of the world cannot be used. A warning is printed for each
  /// imported file that cannot be used.
  static func open() throws(FailureMessage) -> PlaceData {
    let world = try openWorld()
    let (imported, unusable) = importedFiles()
    let finder = PlaceFinder(imported: imported.map(\.file), world: world) { error in
      Diagnostics.print(FailureMessage(imported: error).text)
    }
    let data = PlaceData(world: world, imported: imported, unusable: unusable, finder: finder)
    guard !data.finder.isEmpty || !unusable.isEmpty else {
      throw FailureMessage(
        "No data of places is installed: install the package locationd-data, or make the files with 'make places-data'.",
        .noData)
    }
    return data
  }

  /// Opens the data that is installed with this program; `nil` if it is not installed.
  static func openWorld() throws(FailureMessage) -> WorldPlaces? {
    do throws(PlaceError) {
      return try WorldPlaces.open(WorldPlaces.folders(ProcessEnvironment.value("LOCATIOND_WORLD")))
    } catch {
      throw FailureMessage(error)
    }
  }

  /// Opens the imported files, and prints a warning for each one that cannot be used: the others still answer.
  static func importedFiles() -> (
    usable: [(entry: PlacesFolders.Entry, file: PlacesFile)], unusable: [PlacesFolders.Entry]
  ) {
    var usable: [(entry: PlacesFolders.Entry, file: PlacesFile)] = []
    var unusable: [PlacesFolders.Entry] = []
    for entry in PlacesFolders.files() {
      do throws(PlaceError) {
        usable.append((entry, try PlacesFile(path: entry.path)))
      } catch {
        Diagnostics.print(FailureMessage(imported: error).text)
        unusable.append(entry)
      }
    }
    return (usable, unusable)
  }
}

extension FailureMessage {
  /// Why an imported file cannot be used, and what to do about it.
  init(imported error: PlaceError) {
    let problem: String
    let path: String
    switch error {
    case .unreadable(let file, let operation, let code):
      self.init(
        "\(TerminalText.sanitized(file)) cannot be read (\(operation): \(ErrorDescription.of(code))): check the file, or remove it.",
        SystemErrorKind(code) == .denied ? .denied : .badInput)
      return
    case .wrongFormat(let file): (path, problem) = (file, "is not a file of places")
    case .wrongVersion(let file, let found):
      (path, problem) = (file, "has version \(found) of its format, which this program does not read")
    case .damaged(let file, let part): (path, problem) = (file, "is damaged (\(TerminalText.sanitized(part)))")
    }
    let name = PlacesFile.name(of: path)
    self.init(
      "\(TerminalText.sanitized(path)) \(problem): import it again with --replace, or run 'locationctl places remove "
        + "\(TerminalText.sanitized(name))'.", .badInput)
  }

  /// Why the data of the world cannot be used.
  init(_ error: PlaceError) {
    switch error {
    case .unreadable(let path, let operation, let code):
      self.init(
        "\(TerminalText.sanitized(path)) cannot be read (\(operation): \(ErrorDescription.of(code))): check the file.",
        SystemErrorKind(code) == .denied ? .denied : .badInput)
    case .wrongFormat(let path):
      self.init("\(TerminalText.sanitized(path)) is not a file of places: install the package again.", .badInput)
    case .wrongVersion(let path, let found):
      self.init(
        "\(TerminalText.sanitized(path)) has version \(found) of its format, which this program does not read: install data and "
          + "program from the same release.", .badInput)
    case .damaged(let path, let part):
      self.init("\(TerminalText.sanitized(path)) is damaged (\(part)): install it again.", .badInput)
    }
  }
}
