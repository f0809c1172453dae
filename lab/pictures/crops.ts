/** One picture of the site: what of which master, under which name. */
export type Crop = {
  /** File in `assets/pictures/masters`, without its ending. */
  master: string
  /** Width divided by height; the whole master where it is missing. */
  aspect?: number
  /** Where the crop lies: 0 is left or top, 1 right or bottom, a half where it is missing. */
  x?: number
  y?: number
  mirrored?: boolean
  /** So many points of quality less than usual, where the files would be heavier than they may be. */
  lighter?: number
}

/**
 * Every picture a page can name. After a change: `npm run lab -- pictures`, then look at the pages.
 * A photograph replaces a master under the same name; its crop may then want other positions.
 */
export const CROPS = {
  heroWide: { master: 'hero' },
  heroPortrait: { master: 'heroP' },
  /** The same room from the same camera at other hours: home shows the one that the clock says. */
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
  /** Behind words at the left (the shadow lies right), and the same band where a phone puts the words above. */
  wideWall: { master: 'wall', mirrored: true },
  wideWallPortrait: { master: 'wall', aspect: 5 / 8, x: 0.7, mirrored: true },
  /** Words lie over its plain left half, on a phone above it. */
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
