package import Geodesy

/// PQXFI, "extended fix information" of Qualcomm's receivers (SIM7600, EC25, EM7355): the errors of the fix that GGA and RMC
/// tell. Qualcomm publishes no description: time, latitude, longitude and height as in GGA, then the horizontal error (HEPE,
/// √(σN² + σE²) as the modules' own `AT!GPSLOC` explains it), the vertical error (VEPE) and that of the speed.
package struct PQXFI: Hashable, Sendable {
  package var time: TimeOfDay?
  package var horizontalErrorMillimeters: Int64?
  package var verticalErrorMillimeters: Int64?
}
