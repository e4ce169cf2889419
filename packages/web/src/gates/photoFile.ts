// Makes a photo of a gate from a file of this device: cut to 4 to 3, scaled down, and written anew without where and when it was taken.

import { photoLimits, withoutMetadata } from '@callgate/contract/photo/jpeg'

/** How good, and how much smaller than the limits: the first that has few enough bytes is taken. */
const tries = [
  { quality: 0.8, scale: 1 },
  { quality: 0.65, scale: 1 },
  { quality: 0.6, scale: 0.75 },
  { quality: 0.5, scale: 0.5 },
] as const

interface Size {
  readonly width: number
  readonly height: number
}

/** The largest part of 4 to 3 from the middle of a picture. */
export function middleOf({ height, width }: Size): Size & { readonly left: number; readonly top: number } {
  const ratio = photoLimits.width / photoLimits.height
  const part = width > height * ratio ? { width: height * ratio, height } : { width, height: width / ratio }
  return { ...part, left: (width - part.width) / 2, top: (height - part.height) / 2 }
}

/** The size of the photo of a part: as large as the part, up to the limits, in whole pixels. */
export function scaledSize(part: Size, scale: number): Size {
  const of = (own: number, most: number) => Math.max(1, Math.round(Math.min(own, most) * scale))
  return { width: of(part.width, photoLimits.width), height: of(part.height, photoLimits.height) }
}

/** The bytes of a canvas as a JPEG; undefined where the browser writes none. */
async function jpegOf(canvas: HTMLCanvasElement, quality: number): Promise<Uint8Array | undefined> {
  const blob = await new Promise<Blob | null>(made => canvas.toBlob(made, 'image/jpeg', quality))
  return blob ? new Uint8Array(await blob.arrayBuffer()) : undefined
}

function drawn(picture: ImageBitmap, scale: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  const part = middleOf(picture)
  Object.assign(canvas, scaledSize(part, scale))
  const { height, width } = canvas
  const pen = canvas.getContext('2d')
  if (!pen) return canvas
  // What is transparent would become black.
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, width, height)
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(picture, part.left, part.top, part.width, part.height, 0, 0, width, height)
  return canvas
}

const base64Of = (bytes: Uint8Array) => btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))

/** The photo in base64; undefined where the file is no picture that this browser reads. */
export async function photoOf(file: Blob): Promise<string | undefined> {
  const picture = await createImageBitmap(file).catch(() => undefined)
  if (!picture) return undefined
  try {
    for (const { quality, scale } of tries) {
      const written = await jpegOf(drawn(picture, scale), quality)
      const photo = written && withoutMetadata(written)
      if (photo && photo.length <= photoLimits.bytes) return base64Of(photo)
    }
    return undefined
  } finally {
    picture.close()
  }
}
