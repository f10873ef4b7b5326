import { linkHere } from '../router.ts'
import { LeftIcon, RightIcon } from './icons.tsx'

export const PAGE_ROWS = 20

/** Asks for one row more than is shown: that tells whether there is a next page. */
export const pageOf = (page: number) => ({ limit: PAGE_ROWS + 1, offset: (page - 1) * PAGE_ROWS })

export function readPage(query: URLSearchParams): number {
  const page = Number(query.get('page') ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** The next page is read from its top. */
function toTop(event: { currentTarget: Element }): void {
  const panel = event.currentTarget.closest('.panel')
  if (panel && panel.getBoundingClientRect().top < 0) panel.scrollIntoView()
}

/** `of` names the list: a page may have several. */
export function Pager({ page, hasMore, of }: { page: number; hasMore: boolean; of: string }) {
  if (page === 1 && !hasMore) return null
  return (
    <nav class="pager" aria-label={`Pages of ${of}`}>
      {page > 1 ? (
        <a class="button" href={linkHere({ page: page > 2 ? page - 1 : undefined })} rel="prev" onClick={toTop}>
          <LeftIcon /> Back
        </a>
      ) : (
        <span />
      )}
      <span class="muted">Page {page}</span>
      {hasMore ? (
        <a class="button" href={linkHere({ page: page + 1 })} rel="next" onClick={toTop}>
          More <RightIcon />
        </a>
      ) : (
        <span />
      )}
    </nav>
  )
}
