import LocationIPC
import LocationPolicy

/// Programs that get no locations, though the receivers give them.
extension Diagnosis {
  var clientFindings: [Finding] {
    [
      finding(
        .clientUndecided, \.undecided,
        "waits for locations, but nobody has granted it access yet",
        command: "locationctl grants, then sudo locationctl grant WHO, with --always for a service"),
      finding(
        .clientResting, \.resting,
        "gets no locations in the background, because it has not enabled background updates or has no access with --always",
        command: "set allowsBackgroundLocationUpdates in the program; sudo locationctl grant WHO --always"),
      finding(
        .clientPaused, \.paused, "has paused its updates, because the machine does not move or has no position",
        command: "set pausesLocationUpdatesAutomatically to false in the program if it should not pause"),
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
    let others =
      names.count == 1 ? "" : " (and \(names.count == 2 ? "one other program" : "\(names.count - 1) other programs"))"
    return Finding(code, .note, "\(first)\(others) \(words).", command: command)
  }
}
