// Whoever has a registry has its files, too: their types appear throughout the interface.
@_exported public import RegistryDocuments
