import CodeDrawing
import Foundation
import QRSymbol
import Registry

/// The address that opens a finding: that of a station, or of a team's own tracker.
package struct FindingLink: Hashable, Sendable {
  /// The part of a template that the name of a finding replaces.
  package static let placeholder = "{id}"

  private let template: String

  /// Takes a template such as `https://station.example.com/findings?finding={id}`.
  ///
  /// - Returns: `nil` unless it is an HTTP or HTTPS URL that contains the placeholder.
  package init?(_ template: String) {
    let sample = template.replacing(Self.placeholder, with: "f-0")
    guard template.contains(Self.placeholder), template.utf8.count <= 500,
      template.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 && $0.value != 0x7F }),
      let parts = URLComponents(string: sample),
      ["http", "https"].contains(parts.scheme?.lowercased()), parts.host?.isEmpty == false
    else { return nil }
    self.template = template
  }

  /// The page of a station.
  ///
  /// - Parameter base: The station's address, for example `http://192.168.1.7:8765`.
  package init(toPageOf base: String) {
    template = "\(base)/findings?finding=\(Self.placeholder)"
  }

  /// The address of a finding.
  func address(of id: FollowUp.ID) -> String { template.replacing(Self.placeholder, with: id) }

  /// The QR code of an address, as the address of a picture in a page.
  static func picture(of address: String) throws -> String {
    let symbol = try QRSymbol(address, minimumErrorCorrection: .low)
    let svg = try CodeDrawing(symbol).data(as: .svg)
    return "data:image/svg+xml;base64,\(Data(svg).base64EncodedString())"
  }
}
