import ArgumentParser
import LinuxIO
import LocationPolicy

/// The client that a decision concerns. It is resolved only when the command runs, so that an error is reported as one
/// sentence.
struct ClientArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A user, or a program of a user, as 'locationctl grants' lists it: alice, alice/flatpak:org.gnome.Maps, "
        + "weather/service:weather.service; or another machine: net:192.168.1.20.", valueName: "who"),
    completion: .shellCommand("cut -d: -f1 /etc/passwd"))
  var text: String

  /// The argument, sanitized for output.
  var shown: String { TerminalText.sanitized(text) }

  func identity() throws(FailureMessage) -> ClientIdentity {
    do throws(ClientSelector.Problem) {
      return try ClientSelector(parsing: text, in: AccountFiles(SystemFolders().accounts)).identity
    } catch {
      switch error {
      case .noSuchUser(let name):
        throw FailureMessage(
          "There is no user '\(TerminalText.sanitized(name))': use a name from /etc/passwd, or a number.", .usage)
      case .noSuchAddress(let text):
        throw FailureMessage(
          "'\(TerminalText.sanitized(text))' is not an address: use net: with an address such as 192.168.1.20.", .usage)
      case .noSuchRealm(let text):
        throw FailureMessage(
          "'\(TerminalText.sanitized(text))' is not a program of a user: use flatpak:ID, snap:NAME, service:UNIT or container:NAME.",
          .usage)
      }
    }
  }
}
