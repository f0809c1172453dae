/// <reference types="vite/types/importMeta.d.ts" />
import type { PictureSource } from '../../ui/picture-source.ts'
import { blurs } from './picture-blurs.ts'
import { files } from './picture-files.ts'

/** The files, and the words for who does not see them. */
const described = {
  heroWide: {
    ...files.heroWide,
    alt: 'Visualisation of a sunlit room with an oak reformer, an olive tree and arched shelves',
  },
  heroPortrait: {
    ...files.heroPortrait,
    alt: 'Visualisation of a sunlit room with an oak reformer and an olive tree',
  },
  classOneOnOne: {
    ...files.classOneOnOne,
    alt: 'Visualisation of one reformer in a quiet room in morning light',
  },
  classDuo: {
    ...files.classDuo,
    alt: 'Visualisation of two reformers side by side in a light room',
  },
  galleryCarriage: {
    ...files.galleryCarriage,
    alt: 'Visualisation of a reformer’s carriage with shoulder rests and cotton loops',
  },
  galleryFootbar: {
    ...files.galleryFootbar,
    alt: 'Visualisation of the foot bar and springs of a reformer',
  },
  galleryNiche: {
    ...files.galleryNiche,
    alt: 'Visualisation of an arched niche with vases, towels and small balls',
  },
  galleryShelf: {
    ...files.galleryShelf,
    alt: 'Visualisation of rolled towels and two small balls on an oak shelf',
  },
  galleryStool: {
    ...files.galleryStool,
    alt: 'Visualisation of dried grasses in a white vase on a stool',
  },
  galleryWall: {
    ...files.galleryWall,
    alt: 'Visualisation of leaf shadows on a limewashed wall',
  },
  galleryWindow: {
    ...files.galleryWindow,
    alt: 'Visualisation of an olive tree beside a tall sash window',
  },
  wideWall: {
    ...files.wideWall,
    alt: 'Visualisation of afternoon light and the shadow of an olive tree on a plain wall',
  },
  wideWallPortrait: {
    ...files.wideWallPortrait,
    alt: 'Visualisation of the shadow of an olive tree on a plain wall in afternoon light',
  },
  instructorPlaceholder: {
    ...files.instructorPlaceholder,
    alt: 'Visualisation of a quiet corner with dried grasses in a vase on a stool',
  },
  blogFootbar: {
    ...files.blogFootbar,
    alt: 'Visualisation of a reformer’s foot bar, close',
  },
  blogFootbarWide: {
    ...files.blogFootbarWide,
    alt: 'Visualisation of a reformer’s foot bar and springs, close',
  },
  blogRing: {
    ...files.blogRing,
    alt: 'Visualisation of two balls and a ring on a herringbone floor',
  },
  blogRingWide: {
    ...files.blogRingWide,
    alt: 'Visualisation of a ring and two balls on a herringbone floor',
  },
  blogRiser: {
    ...files.blogRiser,
    alt: 'Visualisation of the pulley post and rope of a reformer',
  },
  blogRiserWide: {
    ...files.blogRiserWide,
    alt: 'Visualisation of the pulley post and rope of a reformer, close',
  },
  blogSill: {
    ...files.blogSill,
    alt: 'Visualisation of books and dried grasses on a window sill',
  },
  blogSillWide: {
    ...files.blogSillWide,
    alt: 'Visualisation of books, a ball and a vase on a window sill',
  },
} satisfies Record<keyof typeof files, PictureSource>

type Pictures = { readonly [Name in keyof typeof described]: PictureSource }

/**
 * Every picture a page can name. They are rendered visualisations of an imagined room (assets/pictures/README.md):
 * the words say so, describe the scene and claim nothing more. A photograph gets words of its own here.
 */
export const pictures: Pictures = import.meta.env.SSR ? withBlurs() : described

/** Only for the HTML that is written beforehand: on a later page there is little to wait for, and script is dear. */
function withBlurs(): Pictures {
  const names = Object.keys(described) as (keyof typeof described)[]
  return Object.fromEntries(
    names.map((name) => [name, { ...described[name], blur: blurs[name] }]),
  ) as unknown as Pictures
}
