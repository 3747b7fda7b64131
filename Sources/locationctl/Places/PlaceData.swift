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
  let finder: PlaceFinder

  /// Opens the files; throws the message if there are none, or if one cannot be used.
  static func open() throws(FailureMessage) -> PlaceData {
    let world: WorldPlaces?
    do throws(PlaceError) {
      world = try WorldPlaces.open(WorldPlaces.folders(ProcessEnvironment.value("LOCATIOND_WORLD")))
    } catch {
      throw FailureMessage(error)
    }
    var imported: [(entry: PlacesFolders.Entry, file: PlacesFile)] = []
    for entry in PlacesFolders.files() {
      do throws(PlaceError) {
        imported.append((entry, try PlacesFile(path: entry.path)))
      } catch {
        throw FailureMessage(error)
      }
    }
    let data = PlaceData(
      world: world, imported: imported, finder: PlaceFinder(imported: imported.map(\.file), world: world))
    guard !data.finder.isEmpty else {
      throw FailureMessage(
        "No data of places is installed: install it with the package locationd, or make it with 'make places-data'.",
        .noData)
    }
    return data
  }
}

extension FailureMessage {
  /// Why data of places cannot be used.
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
