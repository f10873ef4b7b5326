// A Chromium for scripts that make pictures; the browser tests' own way of finding one.
import { chromium } from 'playwright-core'
import { skip } from './running-demo.mjs'

export async function openBrowser() {
  const { FLAGS, findChromium } = await import('../build/test/browser/chromium.js')
  const executablePath = findChromium()
  if (!executablePath) skip('no Chromium is on this machine')
  return chromium.launch({ executablePath, args: FLAGS })
}
