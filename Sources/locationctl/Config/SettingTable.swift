package import LocationdConfiguration
import TrackFormats

/// The output of `locationctl config get` and `config check`.
package enum SettingTable {
  /// One JSON object per line.
  package static func jsonLines(_ entries: [ConfiguredSetting]) -> [UInt8] {
    entries.flatMap { entry in
      var object = JSONObject()
      let key = SettingKey(rawValue: entry.key)
      object.add("key", .text(entry.key))
      object.add("value", .text(entry.value))
      object.add("default", .text(key?.usualText))
      add(entry.origin, to: &object)
      object.add("form", .text(key?.form.name ?? (entry.key.hasSuffix(".id") ? "id" : "path")))
      object.add("minimum", .number(key?.form.range?.lowerBound))
      object.add("maximum", .number(key?.form.range?.upperBound))
      object.add("reloadable", .flag(key?.isAppliedAtRunTime ?? true))
      return object.line
    }
  }

  /// Aligned columns under a heading.
  package static func table(_ entries: [ConfiguredSetting], showsOrigin: Bool) -> [UInt8] {
    let heading = ["KEY", "VALUE"] + (showsOrigin ? ["ORIGIN"] : [])
    return TextTable.aligned(
      [heading]
        + entries.map { entry in
          ([entry.key, entry.value ?? "-"] + (showsOrigin ? [entry.origin.text] : [])).map {
            TerminalText.sanitized($0)
          }
        })
  }

  /// One problem per line, as JSON.
  package static func jsonLines(_ problems: [ConfigurationProblem]) -> [UInt8] {
    problems.flatMap { problem in
      var object = JSONObject()
      object.add("problem", .text(problem.kind.rawValue))
      object.add("sentence", .text(problem.sentence))
      object.add("suggestion", .text(problem.suggestion))
      add(problem.origin, to: &object)
      return object.line
    }
  }

  /// One sentence per line.
  package static func lines(_ problems: [ConfigurationProblem]) -> [UInt8] {
    problems.flatMap { TextTable.sentences(TerminalText.sanitized($0.sentence, limit: 1000)) }
  }

  private static func add(_ origin: SettingOrigin, to object: inout JSONObject) {
    object.add("origin", .text(origin.kind))
    switch origin {
    case .option(let name): object.add("option", .text(name))
    case .variable(let name): object.add("variable", .text(name))
    case .file(let path, let line):
      object.add("file", .text(path))
      object.add("line", .number(line))
    case .environmentFile(let path, let line, let variable):
      object.add("variable", .text(variable))
      object.add("file", .text(path))
      object.add("line", .number(line))
    case .builtIn: break
    }
  }
}
