import Glibc
import LinuxIO
import LocationdServer

StandardDescriptors.reserve()
// locationctl and locationd are installed as one file under two names, because they share most of their code.
let name = CommandLine.arguments.first?.split(separator: "/").last
let arguments = Array(CommandLine.arguments.dropFirst())
exit(name == "locationd" ? DaemonProgram.run(arguments) : Program.run(arguments).rawValue)
