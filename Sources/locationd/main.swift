import Glibc
import LinuxIO
import LocationdServer

StandardDescriptors.reserve()
exit(DaemonProgram.run(Array(CommandLine.arguments.dropFirst())))
