import Geodesy
import LinuxDevices
import LinuxIO
import LocationIPC
import Positioning
