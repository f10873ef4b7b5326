import type { Terminal } from './terminal.ts'

/** A network and its newest block. */
export type Tip = { network: string; height: number; time: string }

const EVERY_MS = 1000
const NAME = 'height'

/** Newest blocks of all networks: the first with the age of its block, as that one is looked at. */
export function describeTips(tips: readonly Tip[], now: number): string {
  const texts = tips.map(({ network, height, time }, i) => {
    const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000))
    return `${network} ${height.toLocaleString('en')}${i === 0 && seconds < 3600 ? ` (${seconds} s ago)` : ''}`
  })
  return `height   ${texts.join(' · ')}`
}

/** Keeps one line at the bottom of a terminal that tells the newest heights, until the answer is called. */
export function showTips(terminal: Terminal, tips: () => readonly Tip[]): () => void {
  const draw = () => terminal.show(NAME, describeTips(tips(), Date.now()))
  draw()
  const timer = setInterval(draw, EVERY_MS)
  return () => {
    clearInterval(timer)
    terminal.remove(NAME)
  }
}
