import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, chromium, type Page, type Route } from 'playwright-core'
import { packagePath } from '../../src/lib/package-path.ts'
import { closeAfterwards } from '../support/close-afterwards.ts'
import { FLAGS } from './chromium.ts'
import { watchSettling } from './settle.ts'

export type Look = { width: number; height: number; theme: 'light' | 'dark' }

export const DESKTOP: Look = { width: 1280, height: 900, theme: 'light' }
export const PHONE: Look = { width: 390, height: 844, theme: 'dark' }

/** Pictures of whole pages take a while: they are made for who wants to look at them. */
const SCREENSHOTS = process.env.ASTROLABE_TEST_SCREENSHOTS === undefined ? undefined : packagePath('build', 'screenshots')
if (SCREENSHOTS) mkdirSync(SCREENSHOTS, { recursive: true })

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const RULES_OF_LOOK = [
  'color-contrast',
  'link-in-text-block',
  'scrollable-region-focusable',
  'aria-hidden-focus',
  'page-has-heading-one',
]

/** Parts of a long page are loaded when they come into view. */
const LOOK_AROUND = `(async () => {
  const frame = () => new Promise(requestAnimationFrame)
  for (let at = 0; at < document.body.scrollHeight; at += innerHeight) {
    scrollTo(0, at)
    await frame()
    await frame()
  }
  scrollTo(0, 0)
})()`

/** After a change of the window everything is laid out in the next frame, and what observes its own size in the one after it. */
const TWO_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/** The innermost elements that reach over the right edge. */
const FIND_WIDE = `[...document.querySelectorAll('main *')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth)
  .slice(-3)
  .map((element) => element.outerHTML.slice(0, 200))
  .join(' | ')`

/** Names of the tables with columns that only scrolling shows. */
const FIND_CUT_TABLES = `[...document.querySelectorAll('.table-room')]
  .filter((room) => room.scrollWidth > room.clientWidth)
  .map((room) => room.querySelector('caption').textContent + ' by ' + (room.scrollWidth - room.clientWidth))`

/** Collects layout shifts from the first frame on; those that follow a press or a key are no surprise. */
const WATCH_SHIFTS = `window.shifts ??= []
if (!window.isWatched) new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput)
      shifts.push({ value, causes: sources.map(({ node, previousRect: from, currentRect: to }) =>
        \`\${(node?.outerHTML ?? node?.textContent ?? 'gone').slice(0, 90)} from \${from.x},\${from.y} to \${to.x},\${to.y}\`) })
}).observe({ type: 'layout-shift', buffered: true })
window.isWatched = true`

const READ_SHIFTS = `({
  score: shifts.reduce((sum, { value }) => sum + value, 0),
  causes: shifts.toSorted((a, b) => b.value - a.value).slice(0, 3).flatMap(({ value, causes }) => [value.toFixed(3), ...causes]),
})`

let browser: Promise<Browser> | undefined

/** One for all tests of a file. */
function launch(executable: string): Promise<Browser> {
  const opened = chromium.launch({ executablePath: executable, args: FLAGS })
  closeAfterwards(async () => {
    browser = undefined
    await (await opened).close()
  })
  return opened
}

/** Someone who looks at a page and notices everything that goes wrong in it. */
export type Visitor = {
  page: Page
  /** complaints of the browser so far: console errors, exceptions, refused or failed requests */
  complaints: string[]
  /** Goes to a place of the site and waits until nothing is being loaded. */
  visit: (address: string) => Promise<void>
  /** Loads a place while every answer of the API comes some frames late, and sums up by how much its content moved meanwhile. */
  measureShift: (address: string) => Promise<{ score: number; causes: string[] }>
  /** Goes to another place of the page that is open, as its own links do. */
  follow: (address: string) => Promise<void>
  /** Looks at the same page with another window and theme. */
  become: (look: Look) => Promise<void>
  settled: () => Promise<void>
  assertNoComplaints: () => void
  /** By axe: all its rules, or those whose outcome depends on colours and layout for a page that passed in another look. */
  assertAccessible: (rules?: 'all' | 'look') => Promise<void>
  assertFits: (name: string) => Promise<void>
  /** Every column of every table is in the window. */
  assertNothingCut: (name: string) => Promise<void>
  /** Scrolls through the whole page, so that everything is loaded, and takes a picture with ASTROLABE_TEST_SCREENSHOTS set. */
  screenshot: (name: string) => Promise<void>
  /** The picture alone, also when something is still missing. */
  screenshotNow: (name: string) => Promise<void>
  leave: () => Promise<void>
}

export async function openVisitor(executable: string, { width, height, theme }: Look = DESKTOP): Promise<Visitor> {
  browser ??= launch(executable)
  const context = await (await browser).newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    hasTouch: width < 600,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(45_000)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`status ${response.status()}: ${response.url()}`)
  })

  const settled = watchSettling(page)
  const screenshotNow = async (name: string) => {
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true })
  }
  return {
    page,
    complaints,
    visit: async (address) => {
      await page.goto(address)
      await settled()
    },
    measureShift: async (address) => {
      const late = async (route: Route) => {
        await page.evaluate(TWO_FRAMES).catch(() => {})
        await route.continue().catch(() => {})
      }
      await page.addInitScript(WATCH_SHIFTS)
      await page.route('**/v1/**', late)
      await page.goto(address)
      await settled()
      await page.unroute('**/v1/**', late)
      return (await page.evaluate(READ_SHIFTS)) as { score: number; causes: string[] }
    },
    follow: async (address) => {
      await page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent('popstate'))`)
      await settled()
    },
    become: async ({ width, height, theme }) => {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme: theme })
    },
    settled,
    assertNoComplaints: () => assert.deepEqual(complaints, []),
    assertAccessible: async (rules = 'all') => {
      // Run through the debugger: the page's own policy allows no foreign script.
      if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
      const options = { resultTypes: ['violations'], ...(rules === 'look' && { runOnly: RULES_OF_LOOK }) }
      const found = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as AxeResult
      assert.deepEqual(
        found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
        [],
      )
    },
    assertFits: async (name) => {
      await page.evaluate(TWO_FRAMES)
      const over = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
      if (over > 0) assert.fail(`${name} is ${over} pixels wider than the window, by ${await page.evaluate(FIND_WIDE)}`)
    },
    assertNothingCut: async (name) => assert.deepEqual(await page.evaluate(FIND_CUT_TABLES), [], `${name} cuts columns off`),
    screenshot: async (name) => {
      await page.evaluate(LOOK_AROUND)
      await settled()
      await screenshotNow(name)
    },
    screenshotNow,
    leave: () => context.close(),
  }
}

/** What is open fits into the window, and axe finds nothing in it. On a phone, which comes after a desktop, nothing is cut off either. */
export async function assertSound(visitor: Visitor, name: string, look: Look): Promise<void> {
  await visitor.assertFits(name)
  if (look === PHONE) await visitor.assertNothingCut(name)
  await visitor.assertAccessible(look === PHONE ? 'look' : 'all')
}

type AxeResult = { violations: { id: string; nodes: { html: string }[] }[] }
