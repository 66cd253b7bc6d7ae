public import Issuing
import TagTypes

extension TagBatch.Options {
  /// Checks the options against each other.
  ///
  /// - Throws: ``InputError`` for options that exclude each other, or a product that is not known.
  public func validate() throws(InputError) {
    if let type, !Tag.productNames.contains(where: { $0.lowercased() == type.lowercased() }) {
      throw .unknownValue(.type, type, known: Tag.productNames)
    }
    guard !(unregistered && refusesWarnings) else { throw .exclude(.unregistered, .strict) }
    guard !(locks && setsPassword) else { throw .exclude(.lock, .setPassword) }
    guard !(provisions && setsPassword) else { throw .exclude(.provision, .setPassword) }
    guard !requiresGenuine || readsSignature else {
      throw .exclude(.requireGenuine, .noOriginality)
    }
  }
}
