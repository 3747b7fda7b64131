import ArgumentParser

/// `--format` and `--template`; without either, text on a terminal and JSON in a pipe.
struct StyleOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The output format. The default is text on a terminal, else json.", valueName: "format"))
  var format: OutputFormat?

  @Option(
    help: ArgumentHelp(
      "Print a line of your own: %{latitude} or any other JSON key, \\n, \\t, %%.", valueName: "template"),
    transform: { text in
      do throws(TemplateError) {
        return try OutputTemplate(parsing: text)
      } catch {
        throw ValidationError(error.description)
      }
    })
  var template: OutputTemplate?

  func validate() throws {
    if format != nil, template != nil { throw ValidationError("Give --format or --template, not both.") }
  }

  /// The output style. It depends on whether standard output is a terminal only if no style was given.
  func style(forPeople: Bool) -> OutputStyle {
    if let template { return .template(template) }
    return .format(format ?? (forPeople ? .text : .json))
  }
}

extension OutputFormat: ExpressibleByArgument {}
