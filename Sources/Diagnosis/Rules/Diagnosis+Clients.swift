import LocationIPC
import LocationPolicy

/// Programs that get no locations, though the receivers give them.
extension Diagnosis {
  var clientFindings: [Finding] {
    [
      finding(
        .clientUndecided, \.undecided,
        "waits for locations, and nobody has decided whether it may have them",
        command: "locationctl grants, then sudo locationctl grant WHO, with --always for a service"),
      finding(
        .clientResting, \.resting,
        "gets no locations while it is in the background, as it does not allow that or has no grant for always",
        command: "set allowsBackgroundLocationUpdates in the program; sudo locationctl grant WHO --always"),
      finding(
        .clientPaused, \.paused, "has paused by itself, as the machine does not move or no position could be had",
        command: "set pausesLocationUpdatesAutomatically to false in the program, if that is not wanted"),
    ].compactMap(\.self)
  }

  /// One for all such clients.
  private func finding(
    _ code: FindingCode, _ count: KeyPath<ClientStatus, Int>, _ words: String, command: String
  ) -> Finding? {
    let names = clients.filter { $0[keyPath: count] > 0 }.map { client in
      let process = client.processID.map { " (process \($0))" } ?? ""
      return "\(SafeText.plain(client.name))\(process)"
    }
    guard let first = names.first else { return nil }
    let others = names.count == 1 ? "" : ", as \(names.count == 2 ? "does one other" : "do \(names.count - 1) others")"
    return Finding(code, .note, "\(first) \(words)\(others).", command: command)
  }
}
