// The version of the cloud, as backups name it.

export const version = '0.1.0'
