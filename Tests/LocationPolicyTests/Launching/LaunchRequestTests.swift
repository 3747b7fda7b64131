import LocationPolicy
import Testing

@Suite struct LaunchRequestTests {
  private let token = CommandToken(high: 1, low: 2)

  @Test(arguments: [
    "LD_PRELOAD", "PATH", "LOCATION_", "LOCATION", "LOCATION_a", "LOCATION_A=B", "location_A", " LOCATION_A",
    "LOCATION_A\0", "",
    "LOCATIOND_STATE", "LOCATION_\u{C4}", "LOCATION_" + String(repeating: "A", count: 56),
  ]) func otherVariablesAreUnknown(_ name: String) { #expect(LaunchVariable(name, "1") == nil) }

  @Test func valuesAreWhatTheyAre() {
    #expect(LaunchVariable("LOCATION_REGION_2", "$(rm -rf /)\n'\"\u{1F600}")?.value == "$(rm -rf /)\n'\"\u{1F600}")
    #expect(LaunchVariable("LOCATION_A", "a\0b") == nil)
    #expect(LaunchVariable("LOCATION_A", String(repeating: "a", count: 1025)) == nil)
  }

  @Test func aNameIsThereOnce() throws {
    let variable = try #require(LaunchVariable("LOCATION_A", "1"))
    #expect(LaunchCommand(token, [variable, variable], input: []) == nil)
    #expect(LaunchCommand(token, [variable], input: [UInt8](repeating: 0, count: 16_385)) == nil)
  }

  @Test func anAttemptIsMarkedHoweverManyVariablesThereAre() throws {
    let variables = (0..<32).compactMap { LaunchVariable("LOCATION_V\($0)", "") }
    let command = try #require(LaunchCommand(token, variables, input: []))
    let marked = command.marked(attempt: 2).marked(attempt: 3)
    #expect(marked.variables.last == LaunchVariable("LOCATION_ATTEMPT", "3"))
    #expect(marked.variables.count == 32)
    #expect(LaunchCommand(token, marked.variables, input: []) == marked)
  }
}
