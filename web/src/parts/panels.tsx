import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { ApiError } from '../../../src/client/client.ts'
import { useCurrentInView } from '../use-current-in-view.ts'
import type { Loaded } from '../use-load.ts'

/** A titled part of a page. */
export function Panel({ title, actions, children }: { title: string; actions?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="panel" aria-label={title}>
      <header class="panel-head">
        <h2>{title}</h2>
        {actions && <div class="panel-actions">{actions}</div>}
      </header>
      <Guarded>{children}</Guarded>
    </section>
  )
}

/** Error boundary of one panel: the others stay. */
function Guarded({ children }: { children: ComponentChildren }) {
  const [error] = useErrorBoundary((thrown) => console.error(thrown))
  return error ? <Empty>This part could not be drawn.</Empty> : <>{children}</>
}

/** Name and value, one under the other; for the facts of a thing. */
export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A number that matters, with what it is above and a remark below. */
export function Tile({ name, children, remark, href }: TileProps) {
  const body = (
    <>
      <span class="tile-name">{name}</span>
      <span class="tile-value">{children}</span>
      {remark && <span class="tile-remark">{remark}</span>}
    </>
  )
  return href ? (
    <a class="tile" href={href}>
      {body}
    </a>
  ) : (
    <div class="tile">{body}</div>
  )
}

type TileProps = { name: string; children: ComponentChildren; remark?: ComponentChildren; href?: string }

type SkeletonProps = { rows?: number | undefined; height?: number | undefined }

/** Grey bars where content will be, each as high as a row of a table; `height` where the content has a known one, in pixels. */
export function Skeleton({ rows = 4, height }: SkeletonProps) {
  return height === undefined ? (
    <div class="skeleton" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, i) => (
        <span key={i} />
      ))}
    </div>
  ) : (
    <div class="skeleton firm" role="status" aria-label="Loading" style={{ height: `${height}px` }}>
      <span />
    </div>
  )
}

export const Bone = ({ width = 6 }: { width?: number }) => (
  <span class="bone" style={{ width: `${width}ch` }} aria-hidden="true" />
)

export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}

/** The four faces of something that is being loaded. What follows in the page is shown with it, unless its height is known before. */
export function Await<T>({ loaded, rows, height, missing = 'There is nothing here.', children }: AwaitProps<T>) {
  switch (loaded.state) {
    case 'loading':
      return <Skeleton rows={rows} height={height} />
    case 'missing':
      return <Empty>{missing}</Empty>
    case 'failed':
      return <Failure error={loaded.error} retry={loaded.retry} />
    case 'ready':
      return <>{children(loaded.value)}</>
  }
}

/** A question that the server does not understand is not understood the next time either. */
function Failure({ error, retry }: { error: Error; retry: () => void }) {
  // The notice above the page says why.
  if (error instanceof ApiError && error.code === 'no_state')
    return <Empty>This index does not have the state of the chain.</Empty>
  const isRefused = error instanceof ApiError && error.status === 400
  return (
    <div class="failure" role="alert">
      <p>{isRefused ? `Nothing can be at this address: ${error.message}.` : `This could not be loaded: ${error.message}.`}</p>
      {isRefused ? (
        <a class="button" href="/">
          To the overview
        </a>
      ) : (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

type AwaitProps<T> = {
  loaded: Loaded<T>
  rows?: number
  height?: number
  missing?: ComponentChildren
  children: (value: T) => ComponentChildren
}

/** One of few, as links: the choice is part of the address. */
export function Choice({ label, options }: { label: string; options: { name: string; href: string; isChosen: boolean }[] }) {
  const row = useCurrentInView<HTMLElement>(options.findIndex(({ isChosen }) => isChosen))
  return (
    <nav class="choice" aria-label={label} ref={row}>
      {options.map(({ name, href, isChosen }) => (
        <a key={name} href={href} aria-current={isChosen ? 'true' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}

/** One of few, kept by the component itself. */
export function Switch<T extends string>({ label, value, options, onChange }: SwitchProps<T>) {
  const row = useCurrentInView<HTMLFieldSetElement>(value)
  return (
    <fieldset class="choice" aria-label={label} ref={row}>
      {options.map(([option, name]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
          {name}
        </button>
      ))}
    </fieldset>
  )
}

type SwitchProps<T> = { label: string; value: T; options: readonly (readonly [T, string])[]; onChange: (value: T) => void }

/** A part of a whole as a bar. */
export function Meter({ part, label }: { part: number; label: string }) {
  const width = `${Math.max(0, Math.min(1, part)) * 100}%`
  return (
    <span class="meter" role="img" aria-label={label}>
      <span style={{ width }} />
    </span>
  )
}
