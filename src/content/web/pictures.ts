import type { PictureSource } from '#ui/picture-source.ts'
import { withBlurPreviews } from './blur-previews.ts'
import { files } from './picture-files.ts'

/** Every picture that a page can show. They are computer-generated (assets/README.md): alt texts claim no real room. */
export const pictures = withBlurPreviews({
  heroWide: {
    ...files.heroWide,
    alt: 'Visualisation of a quiet room with an oak reformer, an olive tree and arched shelves',
  },
  heroPortrait: {
    ...files.heroPortrait,
    alt: 'Visualisation of a quiet room with an oak reformer and an olive tree',
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
  strap: {
    ...files.strap,
    alt: 'Visualisation of a cotton loop with a leather grip, and a steel spring, on wooden pegs',
  },
  instructorPlaceholder: {
    ...files.instructorPlaceholder,
    alt: 'Visualisation of a quiet corner with dried grasses in a vase on a stool',
  },
} satisfies Record<keyof typeof files, PictureSource>)
