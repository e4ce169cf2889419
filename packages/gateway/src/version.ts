// The version of the gateway daemon, for its beats and its command line.

export const version = '0.1.0'
