// The version of the gateway daemon, as its beats and its command line say it.

export const version = '0.1.0'
