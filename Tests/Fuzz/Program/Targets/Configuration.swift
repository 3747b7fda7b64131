import LocationdConfiguration
import LocationdConfigurationFiles
import LocationdService

/// Any bytes as a file of the configuration: it has settings that are valid, and problems that can be printed.
func checkConfiguration(_ bytes: [UInt8]) {
  let text = INIParser.parse(bytes, path: "/etc/locationd.conf")
  var layers = ServiceConfiguration.Layers()
  layers.files = [text]
  layers.environmentFile = EnvironmentFileText(path: "/etc/default/locationd", bytes)
  let configuration = ServiceConfiguration(layers)
  precondition(configuration.problems.count <= ServiceConfiguration.mostProblems, "too many problems")
  for problem in configuration.problems {
    precondition(problem.sentence.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "not printable")
  }
  precondition((1...100_000_000).contains(configuration.settings.mostRegions), "no number of regions")
  let receivers = configuration.settings.receivers
  precondition(receivers.receivers.count <= ServiceConfiguration.mostReceivers, "too many receivers")
  precondition(
    receivers.order.allSatisfy { name in receivers.receivers.contains { $0.name == name } }, "no such receiver")
  // The drop-in of such a file is one that is read as it was written.
  let once = DropInText(bytes, text)
  let again = DropInText(once.bytes, INIParser.parse(once.bytes, path: "/f"))
  precondition(once == again, "the drop-in changes")
  // And a change of one setting is the only change.
  var changed = once
  changed.set("regions", to: "5")
  layers.files = [INIParser.parse(changed.bytes, path: "/f")]
  precondition(ServiceConfiguration(layers).entry("wifi")?.value == configuration.entry("wifi")?.value, "wifi changes")
}
