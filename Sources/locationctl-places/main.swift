import LinuxIO
import PlacesImport

print("not yet")
