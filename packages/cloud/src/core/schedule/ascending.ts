// A binary search in ascending numbers.

/** How many of the ascending numbers are at most `value`. */
export function countUpTo(ascending: readonly number[], value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    // Not tested: no number at `middle`, which is always within the list.
    if ((ascending[middle] ?? Infinity) <= value) low = middle + 1
    else high = middle
  }
  return low
}
