import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { site } from '../networks.ts'
import { arrive } from '../scroll.ts'

let isFirst = true

/** The heading of a page: names the window, and takes the focus when the place changes, so that a reader starts here. */
export function Title({ text, children, actions }: { text: string; children?: ComponentChildren; actions?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = [text, site?.current, 'Astrolabe'].filter(Boolean).join(' · ')
  }, [text])
  useEffect(() => {
    if (!isFirst) {
      heading.current?.focus({ preventScroll: true })
      arrive()
    }
    isFirst = false
  }, [])
  return (
    <div class="title">
      <h1 ref={heading} tabIndex={-1}>
        {children ?? text}
      </h1>
      {actions && <div class="title-actions">{actions}</div>}
    </div>
  )
}
