import { Empty } from '../parts/panels.tsx'
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

/** In place of a page about what an index that began without state does not know. The notice above the page says where it begins. */
export function NoStatePage() {
  return (
    <>
      <Title text="Not in this index" />
      <Empty>
        This index does not have the state of the chain. <a href="/">To the overview</a>
      </Empty>
    </>
  )
}
