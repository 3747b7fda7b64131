import Foundation

/// A time as a location's description has it: short date, full time, in the form of the person who runs the program.
enum DescriptionTime {
  // Foundation on Linux does not look at the environment, which is where a person's form stands there.
  static func words(_ time: Date, environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: localeIdentifier(in: environment))
    formatter.dateStyle = .short
    formatter.timeStyle = .full
    return formatter.string(from: time)
  }

  /// `de_CH` of `de_CH.UTF-8`, by the order of locale(7); `en_US` where there is none.
  static func localeIdentifier(in environment: [String: String]) -> String {
    let set = ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let name = set?.prefix { $0 != "." && $0 != "@" } ?? "C"
    return name == "C" || name == "POSIX" ? "en_US" : String(name)
  }
}
