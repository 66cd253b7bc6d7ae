import AppStoreConnect
import Invocation
import Testing

@Suite("What the articles of AppStoreConnect show is true") struct AppStoreConnectArticleTests {
  @Test("saved answers say what is registered, and nothing is sent for what is equal")
  func reading() async throws {
    let folder = Fixtures.path("Samples/fruta/app-store-connect")
    let answers = SavedAnswers(folder: folder)  // or ConnectClient(credentials)
    let snapshot = try await ConnectSnapshot.read(app: "1234567890", from: answers)
    let content = try snapshot.content(team: "ABCDE12345")
    print(content.clips.map(\.bundleID), content.experiences.count)
    for note in content.notes { print(note) }
    #expect(content.clips.map(\.team) == ["ABCDE12345"] && !content.experiences.isEmpty)
    let plan = try PushPlan(
      from: snapshot, to: content.clips, content.experiences, removes: false
    ) { _ in nil }
    for step in plan.steps { print(step.method, step.path, step.purpose) }
    print(plan.steps.count)  // 0: everything is there
    #expect(plan.steps.isEmpty)
  }
}
