// `node scripts/make-screenshots.mjs [ADDRESS [NAME]]`: makes the pictures of README from a demo of its own, or from the page at ADDRESS; with a
// NAME (before, after) those of docs/images/views.md instead. Needs a Chromium.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openBrowser } from './chromium.mjs'
import { withDemo } from './running-demo.mjs'
import { root } from './stamp.mjs'
import { findViews } from './views.mjs'

const FOLDER = join(root, 'docs/images')
const DESKTOP = { viewport: { width: 1280, height: 860 }, colorScheme: 'light' }
const PHONE = { viewport: { width: 390, height: 780 }, colorScheme: 'dark', deviceScaleFactor: 1.5 }
/** Looks of the views: small pictures that stand beside each other. */
const WIDE_VIEW = { viewport: { width: 1400, height: 1000 }, colorScheme: 'light', deviceScaleFactor: 0.6 }
const PHONE_VIEW = { viewport: { width: 390, height: 844 }, colorScheme: 'light' }
const WEBP = { format: 'webp', quality: 60 }

/** Seconds of new blocks before the first picture, so that the charts of the last blocks are full. */
const WATCHED_S = 100

async function openTab(browser, page, path, look) {
  const context = await browser.newContext({ ...look, reducedMotion: 'reduce' })
  const tab = await context.newPage()
  await tab.goto(new URL(path, page).href)
  await tab.locator('h1').waitFor()
  await tab.waitForLoadState('networkidle').catch(() => {})
  return tab
}

const settle = (tab) => tab.locator('main .skeleton, main .bone').first().waitFor({ state: 'detached' })

async function takeReadme(page, browser) {
  await mkdir(FOLDER, { recursive: true })
  const take = async (name, path, look, prepare) => {
    const tab = await openTab(browser, page, path, look)
    await prepare?.(tab)
    await settle(tab)
    await tab.screenshot({ path: join(FOLDER, `${name}.png`) })
    await tab.context().close()
    console.log(`docs/images/${name}.png`)
  }
  const block = (await findViews(page)).find(([name]) => name === 'block')
  await take('overview', '', DESKTOP, (tab) => tab.locator('.chart-room canvas').first().waitFor())
  await take('block', block[1], DESKTOP, async (tab) => {
    await tab.getByRole('button', { name: 'Verify in this browser' }).click()
    await tab.getByText('Proven', { exact: true }).waitFor()
    await tab.locator('.square svg').waitFor()
  })
  await take('rollups', 'rollups', DESKTOP, (tab) => tab.locator('.chart-room canvas').first().waitFor())
  await take('statistics-phone', 'statistics?per=day', PHONE, async (tab) => {
    await tab.locator('.chart-room canvas').nth(2).waitFor()
    await tab.getByRole('region', { name: 'Throughput' }).scrollIntoViewIfNeeded()
  })
}

async function takeViews(page, browser, suffix) {
  const folder = join(FOLDER, 'views')
  await mkdir(folder, { recursive: true })
  for (const [name, path, hasPhone] of await findViews(page))
    for (const [kind, look] of [['', WIDE_VIEW], ...(hasPhone ? [['-phone', PHONE_VIEW]] : [])]) {
      const tab = await openTab(browser, page, path, look)
      await settle(tab)
      const session = await tab.context().newCDPSession(tab)
      const { data } = await session.send('Page.captureScreenshot', WEBP)
      const file = `views/${name}${kind}-${suffix}.webp`
      await writeFile(join(FOLDER, file), Buffer.from(data, 'base64'))
      await tab.context().close()
      console.log(`docs/images/${file}: ${Math.round((data.length * 3) / 4000)} kB`)
    }
}

async function takeAll(page, suffix) {
  const browser = await openBrowser()
  try {
    await (suffix ? takeViews(page, browser, suffix) : takeReadme(page, browser))
  } finally {
    await browser.close()
  }
}

const [given, suffix] = process.argv.slice(2)
if (given) await takeAll(given, suffix)
else
  await withDemo(
    [process.execPath, join(root, 'bin/astrolabe.cjs')],
    async ({ networks }) => {
      await new Promise((resolve) => setTimeout(resolve, WATCHED_S * 1000))
      await takeAll(networks.demo.page)
    },
    { args: [] },
  )
