import { useEffect, useState } from 'preact/hooks'
import { announce } from './announcer.tsx'
import { CheckIcon, CopyIcon } from './icons.tsx'

/** A button that copies `value`; `what` says what that is. */
export function Copy({ value, what }: { value: string; what: string }) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => setDone(false), 1500)
    return () => clearTimeout(timer)
  }, [isDone])
  const copy = async () => {
    if (!(await copyText(value))) return
    setDone(true)
    announce(`${what} copied`)
  }
  return (
    <button type="button" class="copy" onClick={copy} aria-label={`Copy ${what}`} title={`Copy ${what}`}>
      {isDone ? <CheckIcon /> : <CopyIcon />}
    </button>
  )
}

/** The clipboard is closed to pages over plain HTTP from another machine; there a selection still works. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    field.className = 'unseen'
    document.body.append(field)
    field.select()
    const isDone = document.execCommand('copy')
    field.remove()
    return isDone
  }
}
