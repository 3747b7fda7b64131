import Glibc
import LinuxIO

StandardDescriptors.reserve()
exit(BridgeProgram.run(Array(CommandLine.arguments.dropFirst())))
