/**
 * Some clients join a base address and a path with a slash too many. A slash before the next part counts once; the router drops one at
 * the end by itself. The query is left alone.
 */
export function mergeSlashes(url: string): string {
  if (!url.includes('//')) return url
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  return path.replace(/\/{2,}(?=[^/])/g, '/') + (mark < 0 ? '' : url.slice(mark))
}
