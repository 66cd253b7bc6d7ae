import AppStoreConnect

extension Failure {
  /// What a failure of App Store Connect means to whoever runs the command.
  init(_ error: AppStoreConnectError, source: String?) {
    self.init(error.code, error.message, hint: error.hint, source: source)
  }
}
