import AppStoreConnect

extension Failure {
  /// What a failure of App Store Connect means to whoever runs the command.
  init(_ error: AppStoreConnectError, source: String?) {
    let status: ExitStatus =
      switch error.code {
      case .unauthorized, .forbidden, .unusableKey: .badSetting
      case .notFound, .missingAnswer, .missingPicture: .noInput
      case .refused: .notAccepted
      case .malformedAnswer, .tooMuch: .malformedInput
      case .unknownTeam: .usage
      case .cancelled: .interrupted
      default: .unavailable
      }
    self.init(error.code.rawValue, status, error.message, hint: error.remedy, source: source)
  }
}
