// Takes out of a text what nobody else may read: known secrets, and whatever looks like a number, a message or a key.

/** What a secret may look like once it is in a URL or in JSON. */
const spellings = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
]

/**
 * Phone numbers, IMEI and IMSI: six digits and more, or what begins with a plus or a zero and is written in groups. Messages
 * stand in hexadecimal, private keys in 43 letters of base64url.
 */
const looks: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{20,}/gi, '(hexadecimal)'],
  [/\+\d[\d ().-]{6,}\d/g, '(number)'],
  [/(?<!\d)0\d{2,3}[ .-]\d{3}[ .-]\d{3,4}(?!\d)/g, '(number)'],
  [/\d{6,}/g, '(number)'],
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, '(key)'],
]

/** A function that redacts; `secrets` are taken out wherever they stand. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  // The longest first: one may hold another.
  const known = [...new Set(secrets.filter(secret => secret !== '').flatMap(spellings))].sort(
    (one, other) => other.length - one.length,
  )
  return text => {
    const open = known.reduce((left, secret) => left.replaceAll(secret, '(secret)'), text)
    return looks.reduce((left, [look, word]) => left.replace(look, word), open)
  }
}
