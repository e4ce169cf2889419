// Of the API reference only its one built script is used, in the browser, without the packages that it was built from.

module.exports = {
  hooks: {
    readPackage: manifest =>
      manifest.name === '@scalar/api-reference' ? { ...manifest, dependencies: {} } : manifest,
  },
}
