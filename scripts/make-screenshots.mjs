// `node scripts/make-screenshots.mjs [ADDRESS]`: makes the pictures of README from a demo of its own, or from the page at ADDRESS. Needs a
// Chromium.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openBrowser } from './chromium.mjs'
import { withDemo } from './running-demo.mjs'
import { root } from './stamp.mjs'

const FOLDER = join(root, 'docs/images')
const DESKTOP = { viewport: { width: 1280, height: 860 }, colorScheme: 'light' }
const PHONE = { viewport: { width: 390, height: 780 }, colorScheme: 'dark', deviceScaleFactor: 1.5 }

/** Seconds of new blocks before the first picture, so that the charts of the last blocks are full. */
const WATCHED_S = 100

const api = async (page, path) => (await fetch(new URL(`v1/${path}`, page))).json()

async function fullestBlock(page) {
  const blocks = await api(page, 'block?limit=100&sort=desc&stats=true')
  const known = blocks.slice(3)
  return known.reduce((best, block) => (block.stats.blobs_size > best.stats.blobs_size ? block : best)).height
}

async function takeAll(page) {
  const browser = await openBrowser()
  await mkdir(FOLDER, { recursive: true })
  const take = async (name, path, look, prepare) => {
    const context = await browser.newContext({ ...look, reducedMotion: 'reduce' })
    const tab = await context.newPage()
    await tab.goto(new URL(path, page).href)
    await tab.locator('h1').waitFor()
    await tab.waitForLoadState('networkidle').catch(() => {})
    await prepare?.(tab)
    await tab.locator('main .skeleton, main .bone').first().waitFor({ state: 'detached' })
    await tab.screenshot({ path: join(FOLDER, `${name}.png`) })
    await context.close()
    console.log(`docs/images/${name}.png`)
  }
  await take('overview', '', DESKTOP, (tab) => tab.locator('.chart-room canvas').first().waitFor())
  await take('block', `block/${await fullestBlock(page)}`, DESKTOP, async (tab) => {
    await tab.getByRole('button', { name: 'Verify in this browser' }).click()
    await tab.getByText('Proven', { exact: true }).waitFor()
    await tab.locator('.square svg').waitFor()
  })
  await take('rollups', 'rollups', DESKTOP, (tab) => tab.locator('.chart-room canvas').first().waitFor())
  await take('statistics-phone', 'statistics?per=day', PHONE, async (tab) => {
    await tab.locator('.chart-room canvas').nth(2).waitFor()
    await tab.getByRole('region', { name: 'Throughput' }).scrollIntoViewIfNeeded()
  })
  await browser.close()
}

const given = process.argv[2]
if (given) await takeAll(given)
else
  await withDemo(
    [process.execPath, join(root, 'bin/astrolabe.cjs')],
    async ({ networks }) => {
      await new Promise((resolve) => setTimeout(resolve, WATCHED_S * 1000))
      await takeAll(networks.demo.page)
    },
    { args: [] },
  )
