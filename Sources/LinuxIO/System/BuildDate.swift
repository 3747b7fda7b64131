private import CLinux
package import Geodesy

/// The day on which this program was built: certain to be past, whatever the machine's clock says.
package enum BuildDate {
  /// From the compiler (`__DATE__`, which `SOURCE_DATE_EPOCH` sets for a reproducible build): "Nov 21 2026".
  package static var date: CalendarDate? {
    let text = unsafe String(cString: clinux_build_date())
    let parts = text.split(separator: " ")
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    guard parts.count == 3, let month = months.firstIndex(where: { $0 == parts[0] }), let day = Int(parts[1]),
      let year = Int(parts[2])
    else { return nil }
    return CalendarDate(year: year, month: month + 1, day: day)
  }
}
