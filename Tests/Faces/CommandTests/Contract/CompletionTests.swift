import CliptagBasics
import Foundation
import Registry
import Testing

/// The completions that `make install` writes, loaded by the shells they are for.
extension CommandSuite {
  @Suite("Completions") struct CompletionTests {
    @Test("bash loads its completion and offers the commands of a group")
    func bash() async throws {
      let sandbox = try Sandbox()
      let outcome = try await sandbox.shell(
        """
        exec bash -c '. <(cliptag --generate-completion-script bash) && complete -p cliptag &&
          COMP_WORDS=(cliptag registry im) COMP_CWORD=2 && _cliptag cliptag "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" && echo "${COMPREPLY[@]}"'
        """)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("import"), "\(outcome.output)")
    }

    @Test("bash offers what the registry holds, of the registry that the line names")
    func recorded() async throws {
      let sandbox = try Sandbox()
      _ = try await sandbox.run(
        "registry", "import", "--registry", "shop.sqlite",
        Repository.path("Samples/fruta/registry.yaml"))
      let script = try await sandbox.run("--generate-completion-script", "bash")
      try sandbox.write(script.outputBytes, to: "completion")
      func offered(_ line: String) async throws -> String {
        try await sandbox.shell(
          """
          exec bash -c '. ./completion
            COMP_LINE=$1 COMP_POINT=${#1}; read -ra COMP_WORDS <<< "$1"
            [[ $1 == *" " ]] && COMP_WORDS+=("")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _cliptag cliptag "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" && echo "${COMPREPLY[@]}"' bash "$1"
          """, line
        ).output.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      #expect(try await offered("cliptag place show ") == "")
      let shop = "--registry shop.sqlite"
      #expect(try await offered("cliptag place show \(shop) ") == "cupertino san-francisco")
      #expect(try await offered("cliptag code list \(shop) --place ") == "cupertino san-francisco")
      let clips = try await offered("cliptag clip show \(shop) ")
      #expect(clips == "com.example.fruta.Clip com.example.fruta.rewards.Clip")
      // As bash splits it.
      let links = try await offered("cliptag experience show \(shop) https : //fruta.example.com/s")
      #expect(links == "//fruta.example.com/summer")
      #expect(try await offered("cliptag poster --paper ").contains("A4"))
    }

    @Test("zsh and fish take theirs for right", arguments: ["zsh", "fish"])
    func others(shell: String) async throws {
      let sandbox = try Sandbox()
      let outcome = try await sandbox.shell(
        """
        cliptag --generate-completion-script \(shell) > completion || exit 1
        grep -q simulate completion || exit 1
        exec \(shell) -n completion
        """)
      #expect(outcome.status == 0, "\(shell): \(outcome.errors)")
    }

    /// Presses Tab behind each word, then Enter, in an interactive shell on a terminal of its own, where
    /// the program `cliptag` of the folder `shim` notes its arguments; prints them as JSON.
    private static let keyboard = """
      import json, os, pty, sys
      shell, words = sys.argv[1], json.load(sys.stdin)
      options = {'bash': ['--norc', '--noprofile'], 'zsh': ['-f'], 'fish': ['--no-config']}[shell]
      prompt = {
        'bash': "PS1='RE''ADY> '; . ./completion",
        'zsh': "PS1='RE''ADY> '; autoload -Uz compinit; compinit -u -D; . ./completion",
        'fish': "function fish_prompt; echo -n RE'ADY> '; end; source ./completion"}[shell]
      process, terminal = pty.fork()
      if process == 0:
        os.environ['PATH'] = os.path.abspath('shim') + ':' + os.environ['PATH']
        os.execvp(shell, [shell, *options, '-i'])
      shown = b''
      def wait(mark):
        global shown
        while mark not in shown: shown += os.read(terminal, 4096)
        shown = shown[shown.index(mark) + len(mark):]
      os.write(terminal, (prompt + '\\n').encode())
      taken = []
      for word in words:
        wait(b'READY> ')
        os.write(terminal, ('cliptag audit report ' + word + '\\t\\n').encode())
        wait(b'NOTED')
        taken.append(open('shim/arguments', 'rb').read().decode().split('\\0')[2:-1])
      print(json.dumps(taken))
      """

    /// Parts of names that a shell, its completion or a terminal may take for more than letters.
    private static let parts = [
      "$(touch ran)", "`touch ran`", "${x:=$(touch ran)}", ";touch ran;", "&touch ran",
      "|touch ran",
      "<(touch ran)", ">ran", "'", "\"", "'\u{301}", "$\u{301}(touch ran)", "\\", "\\n", "$'\\x60'",
      "$x",
      "!!", "!touch", "*", "?", "[ax]", "{1,2}", "~", "=ls", "#", "%n", "^a", "(b)", ",", "/", ":",
      "::", " ",
      "  ", "\n", "\r", "\t", "\u{1B}[2J", "\u{9B}", "\u{202E}", "ü", "…", "-x", "--",
    ]

    @Test(
      "Tab inserts a name of the registry whole, or nothing, and runs nothing of it",
      arguments: ["bash", "zsh", "fish"])
    func tab(shell: String) async throws {
      let sandbox = try await Sandbox.withFruta()
      var generator = SeededGenerator(seed: shell.utf8.reduce(62) { $0 * 31 + UInt64($1) })
      let ordinary = [
        "w91 Anna's round", "w92 https://fruta.example.com/menu?table=5&x=1#a", "w93-plain",
        "w94: 50 %, new",
      ]
      let hostile =
        // The script for fish takes seconds for each word.
        (10..<(shell == "fish" ? 18 : 40)).map { number in
          let parts = (1...3).map { _ in Self.parts.randomElement(using: &generator) ?? "" }
          return "w\(number)" + parts.joined()
        } + ["--zz-accept"]
      let registry = try RegistryLocation.file(sandbox.registry).open()
      for name in ordinary + hostile { _ = try registry.begin(name, by: "x", at: Date()) }
      try sandbox.write(Self.keyboard, to: "keyboard.py")
      try sandbox.write(
        """
        #!/bin/sh
        [ "$1" = ---completion ] && exec "\(sandbox.root)/bin/cliptag" "$@"
        printf '%s\\0' "$@" > "\(sandbox.folder)/shim/arguments"
        echo NO""TED
        """, to: "tool")
      let words = (ordinary + hostile).map { String($0.prefix($0.hasPrefix("w") ? 3 : 4)) }
      let typed = try await sandbox.shell(
        """
        mkdir shim && mv tool shim/cliptag && chmod +x shim/cliptag && touch w91 w1 &&
          cliptag --generate-completion-script \(shell) > completion &&
          exec /usr/bin/python3 keyboard.py \(shell)
        """, stdin: Array(try JSONEncoder().encode(words)), environment: ["LC_ALL": "C.UTF-8"])
      #expect(typed.status == 0, "\(typed.errors)")
      let taken = try JSON(parsing: typed.output).elements.map { $0.elements.compactMap(\.text) }
      #expect(taken.count == words.count)
      for (name, arguments) in zip(ordinary, taken) { #expect(arguments == [name]) }
      for (index, arguments) in taken.enumerated().dropFirst(ordinary.count) {
        let allowed = [words[index], hostile[index - ordinary.count]].map { Array($0.utf8) }
        #expect(arguments.count == 1 && allowed.contains(Array(arguments[0].utf8)), "\(arguments)")
      }
      #expect(
        try sandbox.listing() == ["completion", "keyboard.py", "shim", "w1", "w91"])
    }

    @Test("readers are offered, without a word to them")
    func readers() async throws {
      let sandbox = try Sandbox()
      let offered = try await sandbox.run(
        "---completion", "tag", "read", "--", "--reader", "4", "0", "cliptag", "tag", "read",
        "--reader", "",
        environment: ["SAP_SHELL": "bash"])
      #expect(offered.status == 0 && offered.errors == "", "\(offered.errors)")
    }
  }
}
