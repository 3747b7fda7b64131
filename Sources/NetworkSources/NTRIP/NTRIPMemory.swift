/// What an NTRIP client stores, so that a restart neither tries a refused account again nor forgets how often the caster was tried.
package struct NTRIPMemory: Hashable, Sendable {
  /// Whether the caster has answered only requests of version 1.
  package var isVersion1 = false
  /// The problem after which the caster is not tried again with this configuration.
  package var refusal: NTRIPProblem?
  /// `CasterBackOff.text(at:)`.
  package var backOff = ""

  package init() {}

  /// The longest text, bytes.
  package static let longestText = 512
  private static let title = "locationd-ntrip 1"

  /// For a file; it contains no position and no account.
  package var text: String {
    var lines = [Self.title, "version=\(isVersion1 ? 1 : 2)"]
    if let status = refusal?.finalStatus { lines.append("refusal=\(status)") }
    lines.append("backoff \(backOff)")
    return lines.joined(separator: "\n") + "\n"
  }

  /// `nil` for text that `text` did not write.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.longestText else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.first.map({ $0 == Self.title }) ?? false, lines.last?.isEmpty ?? false else { return nil }
    for line in lines.dropFirst().dropLast() {
      if line.hasPrefix("backoff ") {
        backOff = String(line.dropFirst("backoff ".count))
      } else if line.hasPrefix("refusal=") {
        guard let status = Int(line.dropFirst("refusal=".count)), let problem = NTRIPProblem(finalStatus: status) else {
          return nil
        }
        refusal = problem
      } else if line == "version=1" {
        isVersion1 = true
      } else if line != "version=2" {
        return nil
      }
    }
  }
}
