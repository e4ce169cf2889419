// The Space that this browser showed last.

const stored = 'callgate.space'

export function keepLastSpace(spaceId: string): void {
  localStorage.setItem(stored, spaceId)
}

/** The id of the Space; null in a browser that has shown none. */
export const lastSpaceId = (): string | null => localStorage.getItem(stored)
