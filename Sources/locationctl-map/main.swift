import Glibc
import LinuxIO

StandardDescriptors.reserve()
exit(MapProgram.run(Array(CommandLine.arguments.dropFirst())).rawValue)
