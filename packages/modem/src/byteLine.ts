// A byte line: what the driver needs of a serial port, so that tests and simulations can replace the port.

export interface ByteLine {
  /** Sends in order, as the line becomes free. */
  write(bytes: Uint8Array): void
  /**
   * One non-blocking, synchronous write. `written`: all bytes are with the operating system; `short`: some are;
   * `refused`: none are. Nothing is ever queued for later.
   */
  writeNow(bytes: Uint8Array): 'written' | 'short' | 'refused'
  /** Discards output that was not sent yet. */
  flush(): void
  onBytes(listener: (bytes: Uint8Array) => void): void
  /** The line is gone, for the given reason. After `close` by the caller the listener may be called or not. */
  onClose(listener: (reason: string) => void): void
  close(): Promise<void>
}

export type OpenFailure = 'port_missing' | 'port_busy' | 'port_denied' | 'port_failed'

/**
 * Opens the line; `message` tells a person what to do. `silentLines` counts the lines in a row on which no modem could be set up.
 * Where there are several ports, the next one can then be tried.
 */
export type OpenLine = (
  silentLines: number,
) => Promise<
  | { readonly ok: true; readonly line: ByteLine }
  | { readonly ok: false; readonly code: OpenFailure; readonly message: string }
>
