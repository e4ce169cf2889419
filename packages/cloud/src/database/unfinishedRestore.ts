// The marker of a restore that has not finished: the data beside it must not be opened.

/**
 * The file beside the database `file` while a restore moves files. It stays when the restore is killed; then every command but
 * another restore refuses the data.
 */
export const markerOf = (file: string): string => `${file}.restore-unfinished`
