// The types of registry files are part of the interface of a registry.
@_exported public import RegistryDocuments
