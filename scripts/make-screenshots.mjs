// `node scripts/make-screenshots.mjs [ADDRESS [NAME]]`: makes the pictures of README from its own demo, or from the page at ADDRESS; with a
// NAME (before, after) those of docs/images/views.md instead. Needs a Chromium.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openBrowser } from './chromium.mjs'
import { withDemo } from './running-demo.mjs'
import { root } from './stamp.mjs'

const FOLDER = join(root, 'docs/images')
const DESKTOP = { viewport: { width: 1280, height: 860 }, colorScheme: 'light' }
const PHONE = { viewport: { width: 390, height: 780 }, colorScheme: 'dark', deviceScaleFactor: 1.5 }
/** Looks of the views, whose pictures stand beside each other: the wide ones are made smaller. */
const WIDE_VIEW = { viewport: { width: 1400, height: 1000 }, colorScheme: 'light' }
const PHONE_VIEW = { viewport: { width: 390, height: 844 }, colorScheme: 'light' }
const webp = ({ viewport }) => ({
  format: 'webp',
  quality: 55,
  clip: { x: 0, y: 0, ...viewport, scale: Math.min(1, 840 / viewport.width) },
})

/** Seconds of new blocks before the first picture, so that the charts of the last blocks are full. */
const WATCHED_S = 100

const ask = async (page, path) => (await fetch(new URL(`v1/${path}`, page))).json()

/** Places that show much, one of each kind: name, path, and whether a phone shows it too. */
async function findViews(page) {
  const blocks = await ask(page, 'block?limit=100&sort=desc&stats=true')
  // The newest ones have no votes yet, so that they cannot be verified.
  const known = blocks.slice(3)
  const fullest = known.reduce((best, block) => (block.stats.blobs_size > best.stats.blobs_size ? block : best))
  const [namespace] = await ask(page, 'namespace?limit=1&sort=desc&sort_by=size')
  const [validator] = await ask(page, 'validators?limit=1')
  const [rollup] = await ask(page, 'rollup?limit=1')
  const proposals = await ask(page, 'proposal?limit=20&sort=desc')
  const decided = proposals.find(({ status }) => status === 'applied') ?? proposals[0]
  return [
    ['overview', '', true],
    ['block', `block/${fullest.height}`],
    ['namespace', `namespace/${namespace.namespace_id}/${namespace.version}`],
    ['account', `address/${validator.delegator.hash ?? validator.delegator}`, true],
    ['validator', `validator/${validator.id}`],
    ['proposal', `proposal/${decided.id}`],
    ['rollup', `rollup/${rollup.slug}`],
    ['gas', 'gas'],
  ]
}

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
      const { data } = await session.send('Page.captureScreenshot', webp(look))
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
