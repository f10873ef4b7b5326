import { useEffect, useRef, useState } from 'preact/hooks'
import type { SearchItem } from '../../../src/client/gen/operations.ts'
import { api } from '../api.ts'
import { announce } from '../parts/announcer.tsx'
import { SearchIcon } from '../parts/icons.tsx'
import { goTo, linkTo } from '../router.ts'
import { describeHit } from '../search-hit.ts'

const WAIT_MS = 200
/** The type of a combobox wants to hear that the browser's own list of suggestions is not used. */
const OWN_LIST = { list: undefined }

/** A combobox: suggestions while typing, arrow keys to choose, Enter to go there or to all results. */
export function SearchBox() {
  const [text, setText] = useState('')
  const [hits, setHits] = useState<SearchItem[]>([])
  const [chosen, setChosen] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const query = text.trim()

  useEffect(() => {
    setChosen(-1)
    if (query === '') {
      setHits([])
      return
    }
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const found = await api.search({ query }, { signal: controller.signal })
        setHits(found)
        announce(found.length === 0 ? 'No results' : `${found.length} results`)
      } catch {
        // The page of results says what went wrong.
        if (!controller.signal.aborted) setHits([])
      }
    }, WAIT_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [query])

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      field.current?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [])

  const leave = (address: string) => {
    setOpen(false)
    setText('')
    field.current?.blur()
    goTo(address)
  }
  const submit = (event: Event) => {
    event.preventDefault()
    const hit = hits[chosen]
    if (hit) leave(describeHit(hit).href)
    else if (query !== '') leave(linkTo(['search'], { q: query }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setOpen(false)
    if ((event.key !== 'ArrowDown' && event.key !== 'ArrowUp') || hits.length === 0) return
    event.preventDefault()
    setOpen(true)
    const step = event.key === 'ArrowDown' ? 1 : -1
    setChosen((at) => ((at + step + hits.length + 1 + 1) % (hits.length + 1)) - 1)
  }
  const isShown = isOpen && query !== '' && hits.length > 0
  return (
    <search class="search">
      <form onSubmit={submit}>
        <SearchIcon />
        <input
          ref={field}
          type="search"
          value={text}
          placeholder="Block, hash, address, proposal, name"
          aria-label="Search for a block, transaction, address, namespace, validator, rollup, proposal, bridge or upgrade"
          {...OWN_LIST}
          role="combobox"
          aria-expanded={isShown}
          aria-controls="search-hits"
          aria-autocomplete="list"
          aria-activedescendant={chosen >= 0 ? `search-hit-${chosen}` : undefined}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setOpen(true)
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
        />
        <span class="key" aria-hidden="true">
          /
        </span>
        <div id="search-hits" role="listbox" aria-label="Results" hidden={!isShown}>
          {hits.map((hit, i) => {
            const { kind, name, detail, href } = describeHit(hit)
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
              <div
                key={href}
                id={`search-hit-${i}`}
                role="option"
                tabIndex={-1}
                aria-selected={i === chosen}
                // Before the field loses the focus and the list its place.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => leave(href)}
              >
                <span class="badge">{kind}</span>
                <span class="hit-name">{name}</span>
                {detail && <span class="muted mono hit-detail">{detail}</span>}
              </div>
            )
          })}
        </div>
      </form>
    </search>
  )
}
