import DaemonProgram
import Glibc
import LinuxIO

StandardDescriptors.reserve()
exit(DaemonProgram.run(Array(CommandLine.arguments.dropFirst())))
