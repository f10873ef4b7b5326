import { OutIcon } from './icons.tsx'

/** An address that others wrote: only web addresses become links. */
export function OutLink({ url, name }: { url: string; name?: string }) {
  if (!/^https?:\/\//i.test(url)) return <span class="break">{name ? `${name}: ${url}` : url}</span>
  return (
    <a class="out" href={url} target="_blank" rel="noopener noreferrer nofollow">
      {name ?? url.replace(/^https?:\/\//i, '').replace(/\/$/, '')}
      <OutIcon />
      <span class="unseen"> (opens another site)</span>
    </a>
  )
}
