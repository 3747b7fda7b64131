import LocationPolicy

extension AuthorizationLevel: WireCode {
  var wireCode: UInt64 {
    switch self {
    case .notDetermined: 0
    case .restricted: 1
    case .denied: 2
    case .whenInUse: 3
    case .always: 4
    }
  }
}

extension ClientPresence: WireCode {
  static var allCases: [ClientPresence] { [.inUse, .background] }

  var wireCode: UInt64 {
    switch self {
    case .inUse: 0
    case .background: 1
    }
  }
}

extension Answer.Choice: WireCode {
  var wireCode: UInt64 {
    switch self {
    case .whileInUse: 0
    case .always: 1
    case .once: 2
    case .no: 3
    }
  }
}

extension IgnoredRequest: WireCode {
  static var allCases: [IgnoredRequest] { [.noDescription, .notInUse, .allowedOnce, .full] }

  var wireCode: UInt64 {
    switch self {
    case .noDescription: 0
    case .notInUse: 1
    case .allowedOnce: 2
    case .full: 3
    }
  }
}

extension DecisionRefusal: WireCode {
  static var allCases: [DecisionRefusal] { [.noSay, .onlyRoot, .aboveOwn, .full, .byAccount] }

  var wireCode: UInt64 {
    switch self {
    case .noSay: 0
    case .onlyRoot: 1
    case .aboveOwn: 2
    case .full: 3
    case .byAccount: 4
    }
  }
}

extension FullAccuracyAnswer.Reason: WireCode {
  static var allCases: [FullAccuracyAnswer.Reason] {
    [
      .isFull, .notAuthorized, .notInUse, .noDescription, .nobodyToAsk, .otherQuestion,
    ]
  }

  var wireCode: UInt64 {
    switch self {
    case .isFull: 0
    case .notAuthorized: 1
    case .notInUse: 2
    case .noDescription: 3
    case .nobodyToAsk: 4
    case .otherQuestion: 5
    }
  }
}
