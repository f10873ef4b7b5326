type Look = { ground: string; text: string; font: string; legend: [name: string, colour: string][] }

const HEAD = 28
const FOOT = 24
const MARGIN = 12

/** A drawing with a title above and the names of its lines below, as a picture to save. */
export async function drawPicture(drawing: HTMLCanvasElement, title: string, look: Look): Promise<Blob | undefined> {
  const scale = devicePixelRatio || 1
  const picture = document.createElement('canvas')
  picture.width = drawing.width + 2 * MARGIN * scale
  picture.height = drawing.height + (HEAD + (look.legend.length > 0 ? FOOT : MARGIN)) * scale
  const pen = picture.getContext('2d')
  if (!pen) return undefined
  pen.fillStyle = look.ground
  pen.fillRect(0, 0, picture.width, picture.height)
  pen.drawImage(drawing, MARGIN * scale, HEAD * scale)
  pen.scale(scale, scale)
  pen.fillStyle = look.text
  pen.font = `600 14px ${look.font}`
  pen.fillText(title, MARGIN, 20)
  pen.font = `12px ${look.font}`
  let left = MARGIN
  const line = picture.height / scale - 8
  for (const [name, colour] of look.legend) {
    pen.fillStyle = colour
    pen.fillRect(left, line - 9, 10, 10)
    pen.fillStyle = look.text
    pen.fillText(name, left + 15, line)
    left += 15 + pen.measureText(name).width + 16
  }
  return new Promise((resolve) => picture.toBlob((blob) => resolve(blob ?? undefined), 'image/png'))
}
