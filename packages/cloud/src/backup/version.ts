// The version of the cloud, as backups and `callgate --version` name it.

export const version = '0.1.0'
