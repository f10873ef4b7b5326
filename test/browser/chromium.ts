import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const KNOWN = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Runs without its own sandbox when we are root, and asks nobody for updates. */
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const INSTALL_MS = 240_000

/** A Chromium of this machine; where there is none and we may, Debian's is installed. Otherwise says so and answers undefined. */
export function findChromium(): string | undefined {
  const found = lookAround()
  if (found) return found
  const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (canInstall) {
    console.log('browser tests: no Chromium here, installing the package chromium (at most 4 minutes)')
    // Another test file may be at it: then this waits for the lock and finds it done.
    const options = ['-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=200']
    spawnSync('apt-get', ['install', ...options, 'chromium'], { stdio: 'ignore', timeout: INSTALL_MS })
  }
  const installed = lookAround()
  if (!installed)
    console.log(
      `browser tests are left out: no Chromium was found${canInstall ? ', and it could not be installed' : ''}. Install one, or name it in CHROMIUM_PATH.`,
    )
  return installed
}

function lookAround(): string | undefined {
  const named = process.env.CHROMIUM_PATH
  return [named, ...KNOWN, chromium.executablePath()].find((path) => path && existsSync(path))
}
