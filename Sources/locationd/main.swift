import DaemonProgram
import Glibc
import LocationDaemon

reserveStandardStreams()
exit(DaemonProgram.run(Array(CommandLine.arguments.dropFirst())))
