/** How a picture is cut from a master. */
export type Crop = {
  /** File in `assets/pictures/masters`, without its ending. */
  master: string
  /** Width divided by height; the whole master where it is missing. */
  aspect?: number
  /** Position of the crop: 0 is left or top, 1 right or bottom; 0.5 by default. */
  x?: number
  y?: number
  mirrored?: boolean
  /** Points of quality less than usual, if the files would be too large. */
  lighter?: number
}

/**
 * Every picture that pages use. After a change run `npm run lab -- pictures` and check the pages. A photograph can
 * replace a master of the same name.
 */
export const CROPS = {
  heroWide: { master: 'hero' },
  heroPortrait: { master: 'heroP' },
  /** The same room at other hours. */
  heroEarlyWide: { master: 'hero-early' },
  heroEarlyPortrait: { master: 'hero-early-portrait', lighter: 1 },
  heroNoonWide: { master: 'hero-noon' },
  heroNoonPortrait: { master: 'hero-noon-portrait' },
  heroEveningWide: { master: 'hero-evening' },
  heroEveningPortrait: { master: 'hero-evening-portrait' },
  classOneOnOne: { master: 'single' },
  classDuo: { master: 'duo' },
  galleryCarriage: { master: 'carriage' },
  galleryFootbar: { master: 'footbar' },
  galleryNiche: { master: 'niche' },
  galleryShelf: { master: 'shelf' },
  galleryStool: { master: 'stool', aspect: 3 / 3.2, y: 0.55 },
  galleryWall: { master: 'wall', aspect: 5 / 1.75, y: 0.55 },
  galleryWindow: { master: 'window' },
  /** Behind text at the left; on a phone the text is above. */
  wideWall: { master: 'wall', mirrored: true },
  wideWallPortrait: { master: 'wall', aspect: 5 / 8, x: 0.7, mirrored: true },
  /** Text is over its left half, on a phone above it. */
  strap: { master: 'strap' },
  instructorPlaceholder: { master: 'stool', aspect: 4 / 5, y: 0.6 },
  blogFootbar: { master: 'footbar', aspect: 4 / 5, x: 0.52 },
  blogFootbarWide: { master: 'footbar', aspect: 4 / 3 },
  blogRing: { master: 'ring' },
  blogRingWide: { master: 'ring', aspect: 4 / 3, y: 0.55 },
  blogRiser: { master: 'riser' },
  blogRiserWide: { master: 'riser', aspect: 4 / 3, y: 0.5 },
  blogSill: { master: 'sill' },
  blogSillWide: { master: 'sill', aspect: 4 / 3, y: 0.5 },
} as const satisfies Record<string, Crop>
