import LocationIPC
import Testing
import locationctl

@Suite struct DeviceTableTests {
  private var receiver: DeviceDescription {
    var device = DeviceDescription(id: "usb-1546:01a8-1", path: "/dev/ttyACM0", kind: .receiver, state: .fixing)
    device.usbVendorID = 0x1546
    device.usbProductID = 0x01a8
    device.product = "u-blox GNSS receiver"
    device.chip = "u-blox 8"
    device.firmware = "SPG 3.01"
    device.protocolName = "nmea+ubx"
    device.baud = 9600
    return device
  }
  private var adapter: DeviceDescription {
    var device = DeviceDescription(id: "usb-\u{1B}[2J", path: "/dev/ttyUSB0", kind: .adapter, state: .untrusted)
    device.product = "CP2102\n"
    return device
  }

  @Test func oneObjectALine() {
    #expect(
      text(DeviceTable.jsonLines([receiver, adapter])) == """
        {"schema":1,"path":"/dev/ttyACM0","id":"usb-1546:01a8-1","vendorId":"1546","productId":"01a8",\
        "product":"u-blox GNSS receiver","chip":"u-blox 8","firmware":"SPG 3.01","protocol":"nmea+ubx","baud":9600,\
        "kind":"receiver","state":"fixing"}
        {"schema":1,"path":"/dev/ttyUSB0","id":"usb-\\u001b[2J","product":"CP2102\\n","kind":"adapter","state":"untrusted"}

        """)
  }

  @Test func theOwnerHasAColumnWhereThereIsOne() {
    var (theirs, ours) = (receiver, receiver)
    (theirs.owner, ours.owner) = (.gpsd, .locationd)
    ours.path = "/dev/ttyACM1"
    #expect(text(DeviceTable.jsonLines([theirs])).hasSuffix(#""state":"fixing","owner":"gpsd"}"# + "\n"))
    #expect(
      text(DeviceTable.table([theirs, ours, adapter], .pipe)) == """
        PATH          KIND      STATE      OWNER      USB        BAUD  PROTOCOL  NAME               ID
        /dev/ttyACM0  receiver  fixing     gpsd       1546:01a8  9600  nmea+ubx  u-blox 8 SPG 3.01  usb-1546:01a8-1
        /dev/ttyACM1  receiver  fixing     locationd  1546:01a8  9600  nmea+ubx  u-blox 8 SPG 3.01  usb-1546:01a8-1
        /dev/ttyUSB0  adapter   untrusted  -          -          -     -         CP2102\u{FFFD}            usb-\u{FFFD}[2J

        """)
  }

  @Test func columnsLineUpAndCannotSteerTheTerminal() {
    #expect(
      text(DeviceTable.table([receiver, adapter], .pipe)) == """
        PATH          KIND      STATE      USB        BAUD  PROTOCOL  NAME               ID
        /dev/ttyACM0  receiver  fixing     1546:01a8  9600  nmea+ubx  u-blox 8 SPG 3.01  usb-1546:01a8-1
        /dev/ttyUSB0  adapter   untrusted  -          -     -         CP2102\u{FFFD}            usb-\u{FFFD}[2J

        """)
  }
}
