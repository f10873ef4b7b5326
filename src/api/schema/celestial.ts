import { CelestialsStatus } from './enums.ts'
import { Bool, Maybe, Model, Text } from './values.ts'

export const Celestial = Model('Celestial', {
  name: Text,
  image_url: Text,
  status: Maybe(CelestialsStatus),
  primary: Maybe(Bool),
})
