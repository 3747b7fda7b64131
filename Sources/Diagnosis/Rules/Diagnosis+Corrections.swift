import Geodesy
import LocationIPC

/// Findings about the corrections for RTK. Without them there is a position, but one of meters instead of centimeters.
extension Diagnosis {
  var correctionFindings: [Finding] {
    guard let corrections else { return [] }
    if let problem = corrections.problem { return [finding(of: problem, corrections)] }
    let source = name(corrections.name)
    switch corrections.state {
    case .idle:
      return [
        Finding(
          .correctionsUnused, .note, "No open receiver is known to use the corrections of \(source).",
          command:
            "sudo locationctl ntrip use \(SafeText.word(corrections.name)) --rtcm DEVICE   # if it accepts RTCM 3")
      ]
    // Without a position, its finding says what to do.
    case .waitingForPosition, .stopped: return []
    case .connecting, .waiting, .pausing:
      return [
        Finding(
          .correctionsSilent, .note, "No corrections of \(source) have arrived yet.",
          command: "locationctl ntrip status   # in half a minute")
      ]
    case .streaming: return streamingFindings(corrections, source)
    }
  }

  private func streamingFindings(_ corrections: CorrectionStatus, _ source: String) -> [Finding] {
    guard let age = corrections.age, age <= CorrectionStatus.longestAge else {
      let sentence =
        corrections.age.map {
          "The latest corrections of \(source) are \(Int($0.inSeconds)) s old; receivers use only corrections of at most "
            + "\(Int(CorrectionStatus.longestAge.inSeconds)) s."
        } ?? "The corrections of \(source) contain no observations of satellites, so receivers cannot use them."
      return [
        Finding(
          .correctionsOld, .degrades, sentence,
          command: "Check the network of this machine. If the network works, use another mount point.")
      ]
    }
    guard receivers.contains(where: \.hasFix), !receivers.contains(where: \.hasRTK) else { return [] }
    return [
      Finding(
        .noRTK, .note,
        "Corrections of \(source) arrive, but no receiver has reached RTK yet, which takes a minute or two.",
        command:
          "Give the antenna a free view of the sky; use a station within 30 km that sends corrections for the satellite systems "
          + "that the receiver uses."
      )
    ]
  }

  private func finding(of problem: CorrectionStatus.Problem, _ corrections: CorrectionStatus) -> Finding {
    let (code, usual): (FindingCode, String) =
      switch problem {
      case .badFile: (.correctionsFile, "sudo locationctl ntrip use \(SafeText.word(corrections.name))")
      case .unreachable: (.correctionsUnreachable, "Check the address and the network.")
      case .refused: (.correctionsRefused, "Correct 'user=' and 'password='.")
      case .wrongMount: (.correctionsMount, "sudo locationctl ntrip list \(SafeText.word(corrections.name))")
      case .banned: (.correctionsBanned, "Wait: it is tried again later.")
      case .silent: (.correctionsSilent, "Check that the mount point is in operation.")
      case .noCorrections: (.correctionsUnusable, "Use a mount point whose format is RTCM 3.")
      case .tooFar: (.correctionsFar, "sudo locationctl ntrip list \(SafeText.word(corrections.name))")
      }
    let (sentence, remedy) = Self.parts(of: corrections.sentence ?? "There are no corrections.")
    return Finding(code, .degrades, sentence, command: remedy ?? usual)
  }

  /// The problem, and what to do: the parts before and after the last colon of the service's sentence.
  private static func parts(of sentence: String) -> (problem: String, remedy: String?) {
    let sentence = SafeText.plain(sentence, limit: longestSentence)
    guard let colon = sentence.indices.last(where: { sentence[$0...].hasPrefix(": ") }) else { return (sentence, nil) }
    let remedy = sentence[colon...].dropFirst(2)
    return ("\(sentence[..<colon]).", remedy.prefix(1).uppercased() + remedy.dropFirst())
  }

  /// More than the service ever sends, bytes.
  private static let longestSentence = 400
}
