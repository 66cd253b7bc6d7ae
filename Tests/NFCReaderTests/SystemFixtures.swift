@testable import NFCReader

extension SystemView {
  /// A machine made of dictionaries, empty unless said otherwise.
  static func fake(
    nodes: [String: Node] = [:], texts: [String: String] = [:], links: [String: String] = [:],
    environment: [String: String] = [:], user: UInt32 = 1000, groups: Set<UInt32> = [1000]
  ) -> SystemView {
    let paths = Set(nodes.keys).union(texts.keys).union(links.keys)
    return SystemView(
      node: { nodes[links[$0] ?? $0] },
      text: { texts[$0] },
      names: { folder in
        let names = paths.compactMap { path -> String? in
          guard path.hasPrefix(folder + "/") else { return nil }
          return path.dropFirst(folder.count + 1).split(separator: "/").first.map(String.init)
        }
        return Set(names).sorted()
      },
      resolve: { links[$0] ?? $0 },
      environment: { environment[$0] },
      mayUse: { path in
        guard let node = nodes[links[path] ?? path] else { return false }
        if user == 0 { return true }
        let shift: UInt32 = node.owner == user ? 6 : groups.contains(node.group) ? 3 : 0
        return (node.permissions >> shift) & 0o6 == 0o6
      },
      groupName: { [20: "dialout", 46: "plugdev"][$0] })
  }
}

extension SystemView.Node {
  /// A serial port as udev makes it: root and dialout.
  static let serialPort = Self(
    kind: .characterDevice, permissions: 0o660, owner: 0, group: 20, device: 0x5, inode: 77)
  /// A USB device as libnfc's udev rules make it: root and plugdev.
  static let usbDevice = Self(
    kind: .characterDevice, permissions: 0o664, owner: 0, group: 46, device: 0x5, inode: 78)
}
