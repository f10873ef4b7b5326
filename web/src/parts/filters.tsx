import { useState } from 'preact/hooks'
import { goTo, linkHere } from '../router.ts'
import { DownIcon } from './icons.tsx'

/** An input of a list that a visitor may narrow it by; `options` where it is one of few, `isDay` where it is a time. */
export type Filter = {
  name: string
  label: string
  options?: readonly (readonly [value: string, label: string])[]
  isDay?: true
}

/** The values of the filters that the address names. */
export const readFilters = (filters: readonly Filter[], query: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    filters.flatMap(({ name }) => {
      const value = query.get(name)?.trim()
      return value ? [[name, value]] : []
    }),
  )

/** Filters as the API takes them: a day is its first second. */
export const toInputs = (filters: readonly Filter[], values: Record<string, string>): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const isDay = filters.some((filter) => filter.name === name && filter.isDay)
      const second = Math.floor(Date.parse(value) / 1000)
      return [name, isDay && Number.isFinite(second) ? second : value]
    }),
  )

type FiltersProps = { filters: readonly Filter[]; values: Record<string, string>; of: string }

/** The filters of a list. They are part of the address, so a narrowed list can be shared. */
export function Filters({ filters, values, of }: FiltersProps) {
  const [isOpen, setOpen] = useState(false)
  if (filters.length === 0) return null
  const apply = (form: HTMLFormElement) => {
    const data = new FormData(form)
    const changes = filters.map(({ name }) => [name, String(data.get(name) ?? '').trim() || undefined])
    goTo(linkHere({ ...Object.fromEntries(changes), page: undefined }))
  }
  const used = Object.keys(values).length
  const empty = Object.fromEntries(filters.map(({ name }) => [name, undefined]))
  return (
    <>
      <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Filters{used > 0 && ` (${used})`} <DownIcon />
      </button>
      <form
        class={isOpen ? 'filters' : 'filters folded'}
        aria-label={`Filters of ${of}`}
        onSubmit={(event) => {
          event.preventDefault()
          apply(event.currentTarget)
        }}
      >
        {filters.map(({ name, label, options, isDay }) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: either control stands in it
          <label key={`${name} ${values[name] ?? ''}`}>
            <span>{label}</span>
            {options ? (
              <select name={name} value={values[name] ?? ''} onChange={(event) => apply(event.currentTarget.form!)}>
                <option value="">all</option>
                {options.map(([value, text]) => (
                  <option key={value} value={value} selected={values[name] === value}>
                    {text}
                  </option>
                ))}
              </select>
            ) : isDay ? (
              <input name={name} type="date" defaultValue={values[name] ?? ''} />
            ) : (
              <input name={name} defaultValue={values[name] ?? ''} autocomplete="off" spellcheck={false} />
            )}
          </label>
        ))}
        <button type="submit">Apply</button>
        {used > 0 && (
          <a class="button" href={linkHere({ ...empty, page: undefined })}>
            Clear
          </a>
        )}
      </form>
    </>
  )
}
