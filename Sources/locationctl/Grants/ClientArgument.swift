import ArgumentParser
import LinuxIO
import LocationPolicy

/// Whom a decision is about.
struct ClientArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "USER, or USER/REALM:NAME, as 'locationctl grants' lists it: alice, alice/flatpak:org.gnome.Maps, "
        + "weather/service:weather.service.", valueName: "who"),
    completion: .shellCommand("cut -d: -f1 /etc/passwd"), transform: { try ClientArgument.parse($0) })
  var identity: ClientIdentity

  private static func parse(_ text: String) throws -> ClientIdentity {
    do throws(ClientSelector.Problem) {
      return try ClientSelector(parsing: text, in: AccountFiles(SystemFolders().accounts)).identity
    } catch {
      switch error {
      case .noSuchUser(let name):
        throw ValidationError(
          "There is no user '\(TerminalText.sanitized(name))': name one of /etc/passwd, or a number.")
      case .noSuchRealm(let text):
        throw ValidationError(
          "'\(TerminalText.sanitized(text))' is none of flatpak:ID, snap:NAME, service:UNIT and container:NAME.")
      }
    }
  }
}
