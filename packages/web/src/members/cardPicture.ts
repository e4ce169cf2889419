// The card of a link as a picture, for a chat or a printer elsewhere: the texts and the code, black on white.

import { qrPathOf } from '../kit/qrPath.ts'

/** Pixels. */
const width = 720
const margin = 48
const codeWidth = 440
const family = "'Inter Variable', system-ui, sans-serif"

interface Line {
  readonly text: string
  /** Pixels. */
  readonly size: number
  readonly weight: number
}

/** Breaks a text into lines that fit; a word that is wider than a line, such as a link, is broken as well. */
export function wrapped(text: string, fits: (line: string) => boolean): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const part of text.split(/(?<= )/)) {
    if (fits((line + part).trimEnd())) {
      line += part
      continue
    }
    if (line !== '') lines.push(line.trimEnd())
    line = ''
    for (const sign of part) {
      if (line !== '' && !fits((line + sign).trimEnd())) {
        lines.push(line)
        line = ''
      }
      line += sign
    }
  }
  return line === '' ? lines : [...lines, line.trimEnd()]
}

const fontOf = ({ size, weight }: Line) => `${weight} ${size}px ${family}`

/** The lines of a text with their height, as they fit beside the margins. */
function laidOut(pen: CanvasRenderingContext2D, lines: readonly Line[]) {
  return lines.flatMap(line => {
    pen.font = fontOf(line)
    const fits = (text: string) => pen.measureText(text).width <= width - 2 * margin
    return wrapped(line.text, fits).map((text, place) => ({
      ...line,
      text,
      before: place === 0 ? line.size * 0.6 : 0,
    }))
  })
}

const heightOf = (lines: ReturnType<typeof laidOut>) =>
  lines.reduce((sum, { before, size }) => sum + before + size * 1.4, 0)

/** A PNG of the card. It throws where the browser makes none. */
export async function cardPicture(card: {
  readonly space: string
  readonly name: string
  readonly link: string
  readonly lines: readonly string[]
}): Promise<Blob> {
  const code = await qrPathOf(card.link)
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('The browser has no canvas.')
  const above = laidOut(pen, [
    { text: card.space, size: 26, weight: 500 },
    { text: card.name, size: 40, weight: 650 },
  ])
  const below = laidOut(pen, [
    ...card.lines.map(text => ({ text, size: 26, weight: 500 })),
    { text: card.link, size: 20, weight: 500 },
  ])
  canvas.width = width
  canvas.height = Math.ceil(heightOf(above) + codeWidth + heightOf(below) + 2 * margin)
  pen.fillStyle = 'white'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.fillStyle = 'black'
  pen.textAlign = 'center'
  pen.textBaseline = 'top'
  const write = (lines: typeof above, top: number) => {
    let y = top
    for (const line of lines) {
      y += line.before
      pen.font = fontOf(line)
      pen.fillText(line.text, width / 2, y)
      y += line.size * 1.4
    }
    return y
  }
  const y = write(above, margin)
  pen.save()
  pen.translate((width - codeWidth) / 2, y)
  pen.scale(codeWidth / code.size, codeWidth / code.size)
  pen.fill(new Path2D(code.path))
  pen.restore()
  write(below, y + codeWidth)
  return new Promise((resolve, reject) =>
    canvas.toBlob(blob => (blob ? resolve(blob) : reject(new Error('The browser made no picture.')))),
  )
}
