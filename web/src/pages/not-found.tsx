import { Empty } from '../parts/blocks.tsx'
import { Title } from '../shell/title.tsx'

export function NotFoundPage() {
  return (
    <>
      <Title text="No such page" />
      <Empty>
        There is nothing at this place. <a href="/">To the overview</a>
      </Empty>
    </>
  )
}

/** In place of a page that could not be drawn. */
export function BrokenPage() {
  return (
    <>
      <Title text="Something went wrong" />
      <Empty>
        This page could not be drawn. <a href="/">To the overview</a>
      </Empty>
    </>
  )
}
