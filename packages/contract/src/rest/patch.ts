// Changes by PATCH: what holds for each of them.

/** What the documentation says of every PATCH. */
export const patchText =
  'What is absent stays as it is, null clears what can be null, arrays are replaced whole. A change that changes nothing is answered with 200 and leaves no activity.'
