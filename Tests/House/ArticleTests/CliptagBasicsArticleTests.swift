import CliptagBasics
import Foundation
import Invocation
import Registry
import Testing

@Suite("What the articles of CliptagBasics show is true") struct CliptagBasicsArticleTests {
  @Test("every error has a code, a message and a hint")
  func landingPage() {
    do {
      print(try InvocationURL("http://fruta.example.com").normalized)
    } catch let error as any CodedError {
      print(error.code, error.message, error.hint, error.subject ?? "-")
      #expect("\(error.code)" == "not-https" && error.message.hasSuffix("."))
    } catch {
      Issue.record(error)
    }
  }

  @Test("errors are compared by their codes")
  func codes() throws {
    let path = Fixtures.path("README.md")
    do {
      _ = try RegistryLocation.file(path).open(for: .lookUp)
      Issue.record("the README is no registry")
    } catch let error where error.code == .notADatabase {
      print("not a registry:", error.path ?? "-")
    } catch {
      print(error.description)  // the message and the hint
      Issue.record(error)
    }
  }
}
