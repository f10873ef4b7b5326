import { useState } from 'preact/hooks'
import { formatBytes } from '../format.ts'
import { Empty, Switch } from './panels.tsx'

type Form = 'image' | 'text' | 'hex'

const NAMES: Record<Form, string> = { image: 'Image', text: 'Text', hex: 'Bytes' }
/** Image types that browsers draw without running code in them. */
const IMAGES = /^image\/(png|jpeg|gif|webp|bmp)\b/
const MOST_TEXT = 20_000
const MOST_BYTES = 2048
const ROW = 16

/** Bytes that anybody may have posted: shown as an image, as text or in hex, never as a page. */
export function BlobContent({ base64, type, commitment }: { base64: string; type: string; commitment: string }) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  const text = readText(bytes)
  const forms: Form[] = [
    ...(IMAGES.test(type) ? (['image'] as const) : []),
    ...(text === undefined ? [] : (['text'] as const)),
    'hex',
  ]
  const [form, setForm] = useState<Form>(forms[0]!)
  if (bytes.length === 0) return <Empty>This blob is empty.</Empty>
  return (
    <>
      <div class="bar-of-choices">
        <Switch label="Form of the content" value={form} options={forms.map((name) => [name, NAMES[name]])} onChange={setForm} />
        <a
          class="button"
          download={`${commitment.replaceAll(/[^\w]/g, '').slice(0, 16)}.bin`}
          href={`data:application/octet-stream;base64,${base64}`}
        >
          Download {formatBytes(bytes.length)}
        </a>
      </div>
      {form === 'image' && (
        // The type is a guess from the first bytes: what is no image after all is shown as bytes.
        <img class="blob-image" alt="What the blob holds" src={`data:${type};base64,${base64}`} onError={() => setForm('hex')} />
      )}
      {form === 'text' && <Cut text={text!.slice(0, MOST_TEXT)} isCut={text!.length > MOST_TEXT} />}
      {form === 'hex' && <Cut text={dump(bytes.subarray(0, MOST_BYTES))} isCut={bytes.length > MOST_BYTES} />}
    </>
  )
}

function Cut({ text, isCut }: { text: string; isCut: boolean }) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="blob-text" tabIndex={0} aria-label="Bytes of the blob">
        <pre>{text}</pre>
      </section>
      {isCut && <p class="muted">Only the beginning is shown; the download has all of it.</p>}
    </>
  )
}

/** Undefined for bytes that are not text. */
function readText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what tells bytes from text
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** Offset, sixteen bytes in hex, and the same as letters. */
function dump(bytes: Uint8Array): string {
  const rows: string[] = []
  for (let at = 0; at < bytes.length; at += ROW) {
    const row = [...bytes.subarray(at, at + ROW)]
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const letters = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·')).join('')
    rows.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(ROW * 3)} ${letters}`)
  }
  return rows.join('\n')
}
