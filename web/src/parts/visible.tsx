import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** Draws its content once it comes near the window, so that long pages ask only for what is looked at. */
export function Visible({ children, height = 20 }: { children: ComponentChildren; height?: number }) {
  const place = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        setSeen(true)
        observer.disconnect()
      },
      { rootMargin: '200px' },
    )
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place} style={isSeen ? undefined : { minHeight: `${height}px` }}>
      {isSeen && children}
    </div>
  )
}
