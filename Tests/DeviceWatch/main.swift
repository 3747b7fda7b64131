// The process under test of the hot-plug tests: it runs with libumockdev-preload, so that its /sys, /dev and udev are those of
// the test bed. Like the service, it watches devices, and opens only those that are certainly receivers.
//
//     device-watch udev|inotify|automatic [ROOT]
//
// It prints a JSON line for each change and for the first bytes of each device. It ends when standard input ends.

import Glibc
import LinuxDevices
import LinuxIO

let mechanism: DeviceInventory.Mechanism =
  switch CommandLine.arguments.dropFirst().first {
  case "udev": .udev
  case "inotify": .inotify
  case _: .automatic
  }
do {
  var watch = try DeviceWatch(mechanism: mechanism, root: CommandLine.arguments.dropFirst(2).first ?? "")
  watch.run()
} catch {
  JSONLine(event: "failed", fields: [("operation", error.operation), ("errno", "\(error.errno)")]).write()
  exit(1)
}
