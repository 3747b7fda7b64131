import Glibc
import LocationDaemon

reserveStandardStreams()
exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
