import Jobs
import CliptagBasics
import AppStoreConnect
import ArgumentParser
import Foundation
import Invocation
import Registry
import Verifying

extension RegistryCommand {
  /// `cliptag registry push`
  struct Push: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "push",
      abstract: "Update App Store Connect from the registry.",
      discussion: """
        Registers and changes experiences and their texts, and the default experience's action and \
        subtitles. Additions come first and removals last, so that every link has \
        its experience meanwhile; a changed link is an addition and a removal. It stops \
        at the first failure and lists the completed requests. Experiences that only App Store Connect has \
        are removed with --remove only, which is permanent.

        Check the requests with --dry-run first. New experiences need their picture, by its name \
        under "image" in the registry: a PNG or JPEG of 1800 × 1200 pixels without transparency, \
        which is opened before the first request. Removed experiences are deleted if their app was never \
        released, else deactivated. To push, add --app, --key and --issuer as for pull.

        Example:
          cliptag registry push --from Samples/fruta/app-store-connect --dry-run
        """)

    @OptionGroup var connect: ConnectOptions
    @Option(
      help: ArgumentHelp("The folder with the pictures of new experiences.", valueName: "folder"),
      completion: .directory)
    var images: String?
    @Flag(help: "Remove experiences that the registry does not have or has deactivated.")
    var remove = false
    @Flag(name: [.long, .customShort("y")], help: "Do not prompt.")
    var yes = false
    @Flag(name: [.long, .customShort("n")], help: "Only show the requests.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if connect.from != nil, !dryRun {
        throw ValidationError("--from has saved responses: use --key to push, or add --dry-run.")
      }
    }

    func execute(_ console: Console) async throws {
      let client = dryRun ? nil : try connect.client(console)
      let snapshot: ConnectSnapshot
      if let client {
        snapshot = try await ConnectSnapshot.read(app: client.app, from: client.client)
      } else {
        snapshot = try await connect.snapshot(console)
      }
      let document = try global.registryForReading(console).document()
      let plan = try PushPlan(
        from: snapshot, to: document.clips, document.experiences, removes: remove,
        pictures: Self.pictures(in: images))
      let notes = snapshot.notes.map { Hint($0) } + plan.notes
      for note in notes { console.say("note: \(note.own)") }
      try await plan.checkPictures()
      guard !plan.steps.isEmpty else {
        console.say("no requests necessary")
        return
      }
      guard let client = client?.client else {
        for step in plan.steps {
          console.result(of: PushRequestResult(step, isSent: false), text: step.text)
        }
        let count = plan.steps.count
        console.say("\(count) \(count == 1 ? "request" : "requests"); nothing was sent")
        return
      }
      guard try isConfirmed(plan) else {
        console.note(.notAccepted)
        console.say("Nothing was sent.")
        return
      }
      try await send(plan, with: client, console)
    }

    private func send(
      _ plan: PushPlan, with client: ConnectClient, _ console: Console
    ) async throws {
      do throws(PushFailure) {
        try await client.push(plan) { step in
          console.result(of: PushRequestResult(step, isSent: true), text: "done  \(step.purpose)")
        }
        console.say("Run registry pull to record the result of App Store Connect.")
      } catch {
        for step in error.left {
          console.result(of: PushRequestResult(step, isSent: false), text: "left  \(step.purpose)")
        }
        console.report(Failure(describing: error.error))
        for path in error.leftBehind {
          console.say(
            "note: The reserved picture \(path) stays in App Store Connect, which does not delete it; no "
              + "experience uses it.")
        }
        console.say(
          """
          \(error.done.count) of \(plan.steps.count.of("request was", "requests were")) done. Run registry diff, then \
          push again to send the rest.
          """)
      }
    }

    private func isConfirmed(_ plan: PushPlan) throws -> Bool {
      if yes { return true }
      guard !global.json, Prompt.isPossible else {
        throw Failure(
          "not-confirmed", .usage, "The push needs a confirmation, but no terminal is available.",
          hint: "Check the requests with --dry-run, then add --yes.")
      }
      let ending = plan.steps.filter { $0.kind == .remove }
      let list = plan.steps.map { "  \($0.purpose)" }.asLines
      return try Prompt.confirm(
        "\(list)\nSend \(plan.steps.count == 1 ? "this request" : "these \(plan.steps.count) requests") to App Store Connect?"
          + (ending.isEmpty ? "" : " Removals are permanent."))
    }

    /// Looks pictures up by their name alone: a registry's file does not choose folders.
    private static func pictures(in folder: String?) -> @Sendable (String) -> PushPicture? {
      { name in
        guard let folder, !name.isEmpty, !name.contains("/"), !name.hasPrefix(".") else {
          return nil
        }
        let limit = 50 << 20
        let bytes = try? PlainFile.bytes(of: "\(folder)/\(name)", limit: limit)
        guard let bytes, bytes.count <= limit else { return nil }
        return PushPicture(name: name, bytes: bytes)
      }
    }
  }
}

extension PushStep {
  /// The request, for people.
  fileprivate var text: ConsoleText {
    let body = body?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return (["# \(purpose)", "\(method) \(path)"] + (body ?? [])).asLines
  }
}
