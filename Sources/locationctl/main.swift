import DaemonProgram
import Glibc
import LinuxIO

StandardDescriptors.reserve()
// An installation has one file under two names, as most of both programs is the same.
let name = CommandLine.arguments.first?.split(separator: "/").last
let arguments = Array(CommandLine.arguments.dropFirst())
exit(name == "locationd" ? DaemonProgram.run(arguments) : Program.run(arguments).rawValue)
