import FlyingFox
import Foundation
import Invocation
import Jobs
import Pictures
import RegistryDocuments
import Verifying

/// Judges the codes of photographs by a registry file.
struct Judge: HTTPHandler {
  /// The size of the largest photograph, in bytes.
  static let mostBytes = 16 << 20

  let check: InvocationCheck
  let loader = PictureLoader()

  /// Answers with one result for each code, with the keys that `cliptag scan --json` has.
  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard let count = request.bodySequence.count, count <= Self.mostBytes else {
      return HTTPResponse(statusCode: .payloadTooLarge)
    }
    let file: PictureFile
    do {
      file = try await loader.open([UInt8](try await request.bodyData), named: "photograph")
    } catch let error as PictureError {
      return HTTPResponse(statusCode: .unprocessableContent, body: Data("\(error)\n".utf8))
    }
    let location = Self.fix(request).map(LocationEvidence.fix) ?? .missing
    let verifier = Verifier(check: check, location: location)
    var results: [VerificationResult] = []
    for page in 1...file.pageCount {
      let seen = await verifier.observe(page: page, of: file)
      if let failure = seen.failure {
        return HTTPResponse(statusCode: .unprocessableContent, body: Data("\(failure)\n".utf8))
      }
      results += seen.codes.map { VerificationResult($0) }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return HTTPResponse(
      statusCode: .ok, headers: [.contentType: "application/json"],
      body: try encoder.encode(results) + Data("\n".utf8))
  }

  /// The position of the query item `at`: latitude, longitude and accuracy in metres.
  static func fix(_ request: HTTPRequest) -> LocationFix? {
    let numbers = (request.query["at"] ?? "").split(separator: ",").compactMap { Double($0) }
    guard numbers.count == 3 else { return nil }
    return Coordinate(latitude: numbers[0], longitude: numbers[1])
      .flatMap { LocationFix(coordinate: $0, accuracy: numbers[2]) }
  }
}

guard CommandLine.arguments.count == 3, let port = UInt16(CommandLine.arguments[2]) else {
  print("usage: JudgePhotograph REGISTRY.yaml PORT")
  exit(64)
}
let path = CommandLine.arguments[1]
let registry = try RegistryDocument.read(
  Data(contentsOf: URL(fileURLWithPath: path)), as: .yaml, name: path
).document
let judge = Judge(check: InvocationCheck(directory: ExperienceCatalog(registry)))
let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port))
await server.appendRoute("POST /photographs", to: judge)
try await server.run()
