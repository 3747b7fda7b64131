import ArgumentParser
import LinuxIO
import LocationPolicy
import LocationStore

/// `log keygen`.
struct LogKeygenCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "keygen", abstract: "Make a key for sealed logs: the secret one in a file, the public one on stdout.",
    discussion: """
      Do so on your own computer rather than on the machine that records: that one is given the public key alone, with \
      log start --seal, and cannot read what it has recorded. Who has the secret key can, with log export --key; without \
      it nobody can.
      """)
  @Argument(help: ArgumentHelp("The file for the secret key; it must not be there yet.", valueName: "file"))
  var file: String

  func execute() -> CommandStatus {
    let key = OwnerKey()
    do throws(SystemError) {
      var target = try NewFile(path: file)
      try target.append(KeyFile.text(of: key))
      try target.finish()
    } catch {
      return LogExportRun.cannotWrite(file, error)
    }
    Diagnostics.say(
      "The secret key is in \(TerminalText.sanitized(file)): keep it away from the machine that records, and a copy of it "
        + "somewhere else.")
    return Results.write(Array("\(key.publicKey.text)\n".utf8)) ?? .done
  }
}
