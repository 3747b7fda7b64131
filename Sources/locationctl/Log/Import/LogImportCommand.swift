import ArgumentParser
import Geodesy
import LinuxIO
import LocationdService
import TrackFormats

extension LogCommand {
  struct Import: ServiceCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Add the points of other programs' files to a log.",
      discussion: """
        Reads GPX, KML, GeoJSON, NMEA, CSV of GPSLogger or of 'log export', .rec files of OwnTracks Recorder, and Google's Timeline: \
        the export of an Android phone or an iPhone, and Records.json and Semantic Location History of Takeout. Visits of the Timeline \
        are added to 'locationctl visits'. If there is no log of that name, it is created. You can also import into a log that is \
        being recorded.

        Points that the log already has, at the same time and place, are not added again, so you can repeat an interrupted import. If \
        one of the files cannot be read, nothing is imported.
        """)
    @Argument(help: ArgumentHelp("The name of the log.", valueName: "name"))
    var name: String
    @Argument(help: ArgumentHelp("The files to read.", valueName: "file"))
    var files: [String]
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "The format of the files: gpx, kml, geojson, nmea, csv, owntracks or google. The default is to detect it from the contents.",
        valueName: "format"))
    var format: ImportFormat?
    @OptionGroup var plain: PlainOption
    @OptionGroup var messages: MessageOptions

    func execute() -> CommandStatus {
      var total = ImportSize()
      do throws(FailureMessage) {
        // All files are read once before anything is stored, so that a bad file leaves nothing behind.
        let progress = ImportProgress("Checking", of: files.count)
        defer { progress.clear() }
        for file in files { total.add(try TrackFileInput.check(file, format, progress)) }
      } catch {
        return Diagnostics.report(error)
      }
      return CommandSession.withService(.automatic) { session in
        LogImportRun(session, log: name, files: files, format, size: total).execute()
      }
    }
  }
}

extension ImportFormat: ExpressibleByArgument {}
