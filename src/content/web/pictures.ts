import { describePictures } from './describe-pictures.ts'
import { files } from './picture-files.ts'

/** Every picture that a page can show. They are computer-generated (assets/README.md): alt texts claim no real room. */
export const pictures = describePictures(files, {
  heroWide: 'Visualisation of a quiet room with an oak reformer, an olive tree and arched shelves',
  heroPortrait: 'Visualisation of a quiet room with an oak reformer and an olive tree',
  classOneOnOne: 'Visualisation of one reformer in a quiet room in morning light',
  classDuo: 'Visualisation of two reformers side by side in a light room',
  galleryCarriage: 'Visualisation of a reformer’s carriage with shoulder rests and cotton loops',
  galleryFootbar: 'Visualisation of the foot bar and springs of a reformer',
  galleryNiche: 'Visualisation of an arched niche with vases, towels and small balls',
  galleryShelf: 'Visualisation of rolled towels and two small balls on an oak shelf',
  galleryStool: 'Visualisation of dried grasses in a white vase on a stool',
  galleryWall: 'Visualisation of leaf shadows on a limewashed wall',
  galleryWindow: 'Visualisation of an olive tree beside a tall sash window',
  wideWall: 'Visualisation of afternoon light and the shadow of an olive tree on a plain wall',
  wideWallPortrait: 'Visualisation of the shadow of an olive tree on a plain wall in afternoon light',
  strap: 'Visualisation of a cotton loop with a leather grip, and a steel spring, on wooden pegs',
  instructorPlaceholder: 'Visualisation of a quiet corner with dried grasses in a vase on a stool',
})
