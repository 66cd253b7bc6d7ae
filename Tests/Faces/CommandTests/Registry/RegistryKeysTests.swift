import Foundation
import Testing

/// The reference of keys, and what begins and changes a registry without one.
extension CommandSuite {
  @Suite("Keys and examples of registry files") struct RegistryKeysTests {
    /// Reads lines `NAME TAB YAML` and prints the names of those that the schema refuses.
    private static let validator = """
      import json, sys, yaml, jsonschema
      schema = json.load(open(sys.argv[1]))
      jsonschema.Draft202012Validator.check_schema(schema)
      validator = jsonschema.Draft202012Validator(schema)
      class Loader(yaml.SafeLoader): pass
      Loader.yaml_implicit_resolvers = {
        first: [r for r in found if r[0] != 'tag:yaml.org,2002:timestamp']
        for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()}
      for path in sys.argv[2:]:
        if not validator.is_valid(yaml.load(open(path), Loader)): print(path)
      """

    @Test("a JSON Schema validator accepts good files, and refuses each kind of mistake")
    func schema() async throws {
      let sandbox = try Sandbox()
      try sandbox.write(Self.validator, to: "validate.py")
      let schema = try await sandbox.run("registry", "keys", "--schema")
      try sandbox.write(schema.output, to: "schema.json")
      let example = try await sandbox.run("registry", "init", "--example", "-")
      let good = example.output
      try sandbox.write(good, to: "good-example.yaml")
      for sample in ["fruta", "city"] {
        try FileManager.default.copyItem(
          atPath: Repository.path("Samples/\(sample)/registry.yaml"),
          toPath: sandbox.path("good-\(sample).yaml"))
      }
      let mistakes = [
        ("key", "    team:", "    taem:"), ("choice", "action: OPEN", "action: CLOSE"),
        ("team", "ABCDE12345", "abcde"), ("radius", "radius: 80", "radius: 800"),
        ("flag", "Confirmation: true", "Confirmation: yes please"),
        ("both", "{ path:", "{ id: main-street, path:"),
        ("none", "place: { path: \"/order/{place}\" }", "place: {}"),
        ("latitude", "latitude: 37", "latitude: 137"), ("domains", "domains: [", "# ["),
      ]
      for (name, right, wrong) in mistakes {
        #expect(good.contains(right), "\(name)")
        try sandbox.write(good.replacing(right, with: wrong), to: "bad-\(name).yaml")
      }
      let refused = try await sandbox.shell(
        "/usr/bin/python3 validate.py schema.json good-*.yaml bad-*.yaml")
      #expect(refused.errors == "" && refused.status == 0)
      let names = refused.output.split(separator: "\n").map(String.init)
      #expect(names == mistakes.map { "bad-\($0.0).yaml" }.sorted())
    }

    @Test("the reference in the documentation is the one that the sources give")
    func article() async throws {
      let sandbox = try Sandbox()
      try #require(try await sandbox.run("manual", "--keys", "Keys.md").status == 0)
      let kept = try String(
        contentsOfFile: Repository.path("Sources/Faces/cliptag/cliptag.docc/RegistryKeys.md"),
        encoding: .utf8)
      #expect(sandbox.bytes(of: "Keys.md") == Array(kept.utf8), "run make codes, and commit it")
    }

    @Test("the keys of one mapping are listed, and a mistyped mapping is named")
    func listing() async throws {
      let sandbox = try Sandbox()
      let keys = try await sandbox.run("registry", "keys", "place", "--json").lines
      #expect(keys.map { $0["key"].text } == ["id", "name", "region", "regions", "language"])
      #expect(keys[0]["required"] == true && keys[2]["required"] == false)
      let wrong = try await sandbox.run("registry", "keys", "plaec")
      #expect(wrong.status == 64 && wrong.errors.contains("Did you mean “place”?"))
    }

    @Test("an example is written, imported and checked, and never written over another file")
    func example() async throws {
      let sandbox = try Sandbox()
      let words = [
        "registry", "init", "--example", "registry.yaml", "--business", "Gelato Aurora",
        "--at-place", "Harbour",
      ]
      let made = try #require(try await sandbox.run(words + ["--json"]).lines.first)
      #expect(made["output"] == "registry.yaml" && made["domain"] == "gelato-aurora.example.com")
      let url = try #require(made["url"].text)
      #expect(url == "https://gelato-aurora.example.com/order/harbour")
      #expect(try await sandbox.run("registry", "import", "registry.yaml").status == 0)
      #expect(try await sandbox.run("check", url).status == 0)
      let before = sandbox.bytes(of: "registry.yaml")
      let again = try await sandbox.run(words)
      #expect(again.status == 73 && again.errors.contains("exists already"))
      #expect(sandbox.bytes(of: "registry.yaml") == before)
    }

    @Test("a clip is added, shown, replaced without its listing being lost, and removed last")
    func clips() async throws {
      let sandbox = try Sandbox()
      let add = [
        "clip", "add", "com.example.gelato.Clip", "--team", "ABCDE12345", "--domain",
        "Gelato.example.com", "--title", "Gelato",
      ]
      #expect(try await sandbox.run(add + ["--dry-run"]).output.hasPrefix("would add com.example"))
      #expect(try await sandbox.run("clip", "list").output == "")
      let added = try #require(
        try await sandbox.run(add + ["--name", "Gelato", "--json"]).lines.first)
      #expect(added["app"] == "com.example.gelato" && added["experiences"] == 0)
      #expect(added["domains"].elements == ["gelato.example.com"])
      #expect(try await sandbox.run(add).status == 64)
      let link = "https://gelato.example.com/order"
      _ = try await sandbox.run("experience", "add", link, "--clip", "com.example.gelato.Clip")
      #expect(try await sandbox.run("check", link).status == 0)
      _ = try await sandbox.run(add + ["--location-confirmation", "--replace"])
      let shown = try #require(
        try await sandbox.run("clip", "show", "com.example.gelato.Clip", "--json").lines.first)
      #expect(shown["name"] == "Gelato" && shown["locationConfirmation"] == true)
      #expect(shown["experiences"] == 1)
      let kept = try await sandbox.run("clip", "remove", "com.example.gelato.Clip")
      #expect(kept.status == 64 && kept.errors.contains("has an experience"))
      let remove = ["clip", "remove", "com.example.gelato.Clip", "--with-experiences"]
      #expect(try await sandbox.run(remove).status == 0)
      #expect(try await sandbox.run("experience", "list").output == "")
    }

    @Test("a clip that is not on record is named with the nearest")
    func unknown() async throws {
      let sandbox = try Sandbox()
      _ = try await sandbox.run(
        "registry", "import", Repository.path("Samples/fruta/registry.yaml"))
      let clip = try await sandbox.run("clip", "show", "com.example.fruta.Clp")
      #expect(clip.status == 66 && clip.errors.contains("Did you mean “com.example.fruta.Clip”?"))
      let experience = try await sandbox.run(
        "experience", "show", "https://fruta.example.com/odrer")
      #expect(experience.errors.contains("Did you mean “https://fruta.example.com/order” or"))
    }
  }
}
