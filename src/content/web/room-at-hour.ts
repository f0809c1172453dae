/// <reference types="vite/types/importMeta.d.ts" />
import type { PictureFiles, PictureSource } from '#ui/picture-source.ts'
import type { HourOfRoom } from '../hour-of-room.ts'
import { files } from './hour-picture-files.ts'
import { blurs } from './picture-blurs.ts'
import { pictures } from './pictures.ts'

type Light = Pick<PictureFiles, 'folder' | 'colour'>

/** The room at an hour, as far as it differs from the morning. */
export type RoomLight = { wide: Light; portrait: Light }

export type Room = { wide: PictureSource; portrait: PictureSource }

/** The room's light at an hour; undefined in the morning, the default. On the server only, to keep scripts small. */
export function lightAt(hour: HourOfRoom): RoomLight | undefined {
  switch (hour) {
    case 'early':
      return lightOf(files.heroEarlyWide, files.heroEarlyPortrait)
    case 'morning':
      return undefined
    case 'noon':
      return lightOf(files.heroNoonWide, files.heroNoonPortrait)
    case 'evening':
      return lightOf(files.heroEveningWide, files.heroEveningPortrait)
  }
}

const lightOf = (wide: Light, portrait: Light): RoomLight => ({
  wide: { folder: wide.folder, colour: wide.colour },
  portrait: { folder: portrait.folder, colour: portrait.colour },
})

/** The room in the light that the page was rendered with. */
export function roomIn(light: RoomLight | undefined): Room {
  const { heroWide, heroPortrait } = pictures
  if (!light) return { wide: heroWide, portrait: heroPortrait }
  return { wide: lit(heroWide, light.wide), portrait: lit(heroPortrait, light.portrait) }
}

function lit(picture: PictureSource, light: Light): PictureSource {
  const { blur: _, ...morning } = picture
  const found = { ...morning, ...light }
  // Previews are only in server-rendered HTML.
  if (!import.meta.env.SSR) return found
  for (const name of Object.keys(files) as (keyof typeof files)[])
    if (files[name].folder === light.folder) return { ...found, blur: blurs[name] }
  return found
}
