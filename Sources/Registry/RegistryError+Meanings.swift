extension RegistryError.Code {
}
