import Geodesy
import LocationIPC

/// All that was checked, with its result: the findings, and what is fine.
extension Diagnosis {
  /// The checks in the order of `CheckName`; those of a receiver are repeated for each receiver. A check that does not
  /// apply to the subject is absent.
  package var checks: [Check] {
    let findings = findings
    let order = CheckName.allCases
    var all = order.prefix { !$0.isOfReceiver }.compactMap { check($0, findings.of($0)) }
    // Without access, nothing is known about receivers.
    if receivers.isEmpty, !all.contains(where: { $0.name == .receiver }),
      let access = all.first(where: { $0.name == .access && $0.state == .stops })
    {
      all.append(Check(.receiver, .skipped, Self.skipped(after: access.name)))
    }
    all += receiverChecks(findings, isBlocked: all.first { $0.state == .stops })
    all += order.drop { !$0.isOfReceiver }.drop { $0.isOfReceiver }.compactMap { check($0, findings.of($0)) }
    return all
  }

  // MARK: - The machine and the service

  private func check(_ name: CheckName, _ findings: [Finding]) -> Check? {
    guard findings.isEmpty else { return Check(name, findings, device: nil) }
    return wellText(name).map { Check(name, .ok, $0) }
  }

  /// What is fine if a check has no findings; `nil`: it does not apply, or nothing is known about it.
  private func wellText(_ name: CheckName) -> String? {
    let usesMachine = subject == .automatic || subject.isPort
    switch name {
    case .recording: return subject == .recording ? "it can be read to its end" : nil
    case .gpsd: return subject == .gpsd ? "it answers" : nil
    case .access: return isServed ? "this user has access to the location" : nil
    case .power: return usesMachine ? "enough voltage, no overload, no USB disconnects" : nil
    case .receiver: return receiverText
    case .corrections:
      guard let corrections, corrections.state == .streaming else { return nil }
      let age = corrections.age.map { ", \(Int($0.inSeconds)) s old" } ?? ""
      return "\(self.name(corrections.name))\(age), used by a receiver for RTK"
    case .fleet:
      guard !fleet.isEmpty else { return nil }
      return "\(fleet.count == 1 ? "one destination" : "\(fleet.count) destinations") without problems"
    case .clock:
      guard subject != .recording else { return nil }
      if let ahead = receivers.compactMap(\.aheadOfClock).first {
        return "agrees with the receiver to within \(Self.tenths(ahead.inSeconds.magnitude)) s"
      }
      return machine.clock == nil ? nil : "set"
    case .storage:
      guard let state = machine.state, subject != .recording else { return nil }
      return "\(self.name(state.path)) can be written" + (state.bytesFree.map { ", \(Self.size($0)) free" } ?? "")
    case .service: return isServed ? "locationd answers, and no limit was reached" : nil
    case .programs:
      guard !clients.isEmpty else { return nil }
      return "all programs that request the location get it"
    case .port, .baud, .data, .antenna, .fix: return nil
    }
  }

  private var receiverText: String? {
    guard !receivers.isEmpty else { return nil }
    if case .recording = subject { return nil }
    return receivers.map { facts in
      let port = port(facts.device)
      return name(facts.device) + (port?.name.map { " (\(name($0)))" } ?? "")
    }.joined(separator: ", ")
  }

  // MARK: - Receivers

  private static let ofReceiver = CheckName.allCases.filter(\.isOfReceiver)

  private func receiverChecks(_ findings: [Finding], isBlocked earlier: Check?) -> [Check] {
    let devices = Set(receivers.map { SafeText.plain($0.device) })
    // Findings about ports that were not or could not be opened, and findings that name no device.
    let others = Self.ofReceiver.compactMap { name -> Check? in
      let some = findings.of(name).filter { $0.device.map { !devices.contains($0) } ?? true }
      return some.isEmpty ? nil : Check(name, some, device: some[0].device)
    }
    guard !receivers.isEmpty else {
      let blocker = others.first { $0.state == .stops } ?? earlier
      let rest = Self.ofReceiver.filter { name in !others.contains { $0.name == name } }
      let skipped = rest.map { Check($0, .skipped, Self.skipped(after: blocker?.name)) }
      return (others + skipped).sorted { Self.position($0) < Self.position($1) }
    }
    return others + receivers.flatMap { receiverChecks($0, findings) }
  }

  private func receiverChecks(_ facts: ReceiverFacts, _ findings: [Finding]) -> [Check] {
    let device = SafeText.plain(facts.device)
    var blocker: CheckName?
    return Self.ofReceiver.compactMap { name -> Check? in
      let own = findings.of(name).filter { $0.device == device }
      if !own.isEmpty {
        // If another receiver gives fixes, a finding that stops this one has become a note.
        let isStopped = own.contains { $0.severity == .stops || $0.severity == .note && !facts.hasFix && name != .port }
        if blocker == nil, isStopped { blocker = name }
        return Check(name, own, device: device)
      }
      if let blocker { return Check(name, .skipped, Self.skipped(after: blocker), device: device) }
      return check(name, of: facts)
    }
  }

  private static func position(_ check: Check) -> Int { CheckName.allCases.firstIndex(of: check.name) ?? 0 }

  private static func skipped(after name: CheckName?) -> String {
    name.map { "not checked, because of '\($0.rawValue)'" } ?? "not checked"
  }

  /// The result of a check without findings; `nil`: it does not apply.
  private func check(_ name: CheckName, of facts: ReceiverFacts) -> Check? {
    func ok(_ text: String) -> Check { Check(name, .ok, text, device: facts.device) }
    func skipped(_ text: String) -> Check { Check(name, .skipped, text, device: facts.device) }
    switch name {
    case .port: return subject == .recording ? nil : ok("\(self.name(facts.device)) is open")
    case .baud:
      guard subject != .recording, facts.bytes > 0 else { return nil }
      let rate = isWired(facts) ? facts.speeds.last.map { "\($0) baud" } : "no baud rate (USB)"
      return ok([rate, "\(facts.bytes) bytes received"].compactMap(\.self).joined(separator: ", "))
    case .data:
      guard facts.validFrames > 0 else { return facts.hasFix ? ok("fixes arrive") : nil }
      let damaged = facts.damagedFrames == 0 ? "none" : "\(facts.damagedFrames)"
      return ok("\(facts.validFrames) messages, \(damaged) damaged")
    case .antenna:
      guard facts.listsSatellites else { return skipped("the receiver lists no satellites") }
      let strongest = facts.strongestSignal.map { ", the strongest at \($0) dB-Hz" } ?? ""
      return ok("\(facts.satellitesTracked) satellite\(facts.satellitesTracked == 1 ? "" : "s")\(strongest)")
    case .fix:
      guard facts.hasFix else { return skipped("there is none yet") }
      let radius = facts.radius68Meters.map { "\u{B1}\(Self.tenths($0)) m" }
      let used = facts.satellitesUsed.map { "\($0) satellites used" }
      return ok(["3D", radius, used].compactMap(\.self).joined(separator: ", "))
    case .recording, .gpsd, .access, .power, .receiver, .corrections, .fleet, .clock, .storage, .service, .programs:
      return nil
    }
  }

  private static func tenths(_ value: Double) -> String {
    guard value.isFinite, value < 1e9 else { return "?" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  private static func size(_ bytes: Int64) -> String {
    switch bytes {
    case ..<1_000_000_000: "\(max(0, bytes) / 1_000_000) MB"
    default: "\(bytes / 1_000_000_000) GB"
    }
  }
}

extension [Finding] {
  fileprivate func of(_ check: CheckName) -> [Finding] { filter { $0.code.check == check } }
}
