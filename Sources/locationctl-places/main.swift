import Glibc
import LinuxIO

StandardDescriptors.reserve()
let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "import": exit(ImportProgram.run(Array(arguments.dropFirst())).rawValue)
case "check": exit(ImportWorker.check().rawValue)
case "read": exit(ImportWorker.run(Array(arguments.dropFirst())).rawValue)
default:
  StandardError.write(Array("locationctl-places: 'locationctl places import' starts this program\n".utf8))
  exit(ExitStatus.usage.rawValue)
}
