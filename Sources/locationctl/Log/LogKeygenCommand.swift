import ArgumentParser
import LinuxIO
import LocationPolicy
import LocationStore

struct LogKeygenCommand: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "keygen",
    abstract: "Make a key pair for encrypted logs: the secret key in a new file, the public key on standard output.",
    discussion: """
      Make the keys on your own computer, and not on the machine that records. That machine gets only the public key, with 'log \
      start --seal', and cannot read what it has recorded. 'log export --key' reads it with the secret key. Without the secret \
      key nobody can read the log: there is no recovery.
      """)
  @Argument(help: ArgumentHelp("The new file for the secret key. It must not exist.", valueName: "file"))
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
    Diagnostics.print(
      "The secret key is in \(TerminalText.sanitized(file)): keep it away from the machine that records, and keep a copy "
        + "elsewhere.")
    return Results.write(Array("\(key.publicKey.text)\n".utf8)) ?? .done
  }
}
