// `node scripts/make-preview.mjs`: draws web/public/preview.png, the picture that previews of links show. Needs a Chromium.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openBrowser } from './chromium.mjs'
import { root } from './stamp.mjs'

const SIZE = { width: 1200, height: 630 }
const CELLS = 12

/** Squares of a data square in the colours of namespaces; the same at every run. */
function drawCells() {
  const hues = [40, 225, 150, 0, 290, 195]
  const cells = []
  for (let i = 0; i < CELLS * CELLS; i++) {
    const hue = hues[Math.floor(((i * i) / 37 + i / 5) % hues.length)]
    const isFree = i > CELLS * CELLS * 0.82
    cells.push(`<i style="background:${isFree ? '#242833' : `oklch(0.7 0.12 ${hue})`}"></i>`)
  }
  return cells.join('')
}

const html = `<!doctype html><style>
  * { margin: 0; box-sizing: border-box }
  body { display: flex; align-items: center; gap: 64px; width: ${SIZE.width}px; height: ${SIZE.height}px; padding: 72px;
    background: #101218; color: #ebe8e1; font-family: system-ui, sans-serif }
  h1 { font-size: 96px; letter-spacing: -2px }
  p { margin-top: 20px; font-size: 34px; line-height: 1.35; color: #a5a2a0 }
  div.square { flex: none; display: grid; grid-template-columns: repeat(${CELLS}, 1fr); gap: 4px; width: 440px; height: 440px }
</style><div><h1>Astrolabe</h1><p>Blocks, blobs and rollups<br>of a Celestia network</p></div><div class="square">${drawCells()}</div>`

const browser = await openBrowser()
const page = await browser.newPage({ viewport: SIZE })
await page.setContent(html)
const file = join(root, 'web/public/preview.png')
const picture = await page.screenshot({ type: 'png' })
await writeFile(file, picture)
await browser.close()
console.log(`${file}: ${Math.round(picture.length / 1000)} kB`)
