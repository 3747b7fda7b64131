import ArgumentParser

/// `locationctl places`: addresses, towns and points of interest, from files on this machine.
struct PlacesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "places",
    abstract: "Find the address of a position, and the position of an address, without a network.",
    subcommands: [Import.self, Remove.self])
}
