import { expect, test } from 'vitest'
import { files } from '#content/web/picture-files.ts'
import { cropsOf, decodedPixels, formatOf, PLACES, sizesOf } from './rules.ts'

const shape = [4, 3] as const

test.each([
  ['a large landscape', { width: 6000, height: 4000 }, { width: 1280, height: 960 }, [320, 480, 640, 800, 960, 1280]],
  ['exactly the largest', { width: 1280, height: 960 }, { width: 1280, height: 960 }, [320, 480, 640, 800, 960, 1280]],
  ['one pixel less', { width: 1279, height: 960 }, { width: 1279, height: 959 }, [320, 480, 640, 800, 960, 1279]],
  ['an upright one', { width: 700, height: 4000 }, { width: 700, height: 525 }, [320, 480, 640, 700]],
  ['a flat one', { width: 4000, height: 600 }, { width: 800, height: 600 }, [320, 480, 640, 800]],
  ['a small one', { width: 300, height: 300 }, { width: 300, height: 225 }, [300]],
  ['a line', { width: 5000, height: 1 }, { width: 1, height: 1 }, [1]],
])('crops %s without enlarging it', (_, picture, size, widths) => {
  expect(sizesOf({ shape, maxWidth: 1280 }, picture)).toEqual({ ...size, widths })
})

test('crops to the shape of the site’s own picture in each place, so that nothing moves on the page', () => {
  const ours = {
    hero: [files.heroWide, files.heroPortrait],
    closeUp: [files.strap],
    oneOnOne: [files.classOneOnOne],
    duo: [files.classDuo],
    portrait: [files.instructorPlaceholder],
    gallery1: [files.galleryWindow],
    gallery2: [files.galleryFootbar],
    gallery3: [files.galleryStool],
    gallery4: [files.galleryCarriage],
    gallery5: [files.galleryShelf],
    gallery6: [files.galleryWall],
    gallery7: [files.galleryNiche],
    closing: [files.wideWall, files.wideWallPortrait],
  }
  expect(Object.keys(ours)).toEqual(PLACES)
  for (const place of PLACES) {
    const { narrow, ...wide } = cropsOf(place)
    const shapes = [wide, ...(narrow ? [narrow] : [])].map(({ shape: [across, down] }) => (across / down).toFixed(3))
    expect([place, shapes]).toEqual([place, ours[place].map(({ width, height }) => (width / height).toFixed(3))])
  }
})

test.each([
  ['eight times as large', { width: 12_800, height: 6720 }, 1_344_000],
  ['a little less', { width: 12_799, height: 6720 }, 5_375_580],
  ['twice as large', { width: 3200, height: 1680 }, 1_344_000],
  ['twice as wide only', { width: 3200, height: 1000 }, 3_200_000],
  ['smaller', { width: 800, height: 420 }, 336_000],
])('decodes a part of a JPEG that is %s than its crop', (_, picture, pixels) => {
  expect(decodedPixels(picture, { width: 1600, height: 840 })).toBe(pixels)
})

const bytes = (text: string) => Buffer.from(text, 'latin1')

test.each([
  ['jpeg', '\xff\xd8\xff\xe0'],
  ['png', '\x89PNG\r\n\x1a\n'],
  ['webp', 'RIFF\x10\0\0\0WEBPVP8 '],
  ['avif', '\0\0\0\x1cftypavif\0\0\0\0mif1miaf'],
  ['avif', '\0\0\0\x1cftypmif1\0\0\0\0mif1avif'],
  ['heic', '\0\0\0\x1cftypheic\0\0\0\0mif1heic'],
  ['heic', '\0\0\0\x1cftypmif1\0\0\0\0mif1heic'],
  ['heic', '\0\0\0\x18ftypmif1\0\0\0\0mif1miaf'],
  ['heic', '\0\0\0\x18ftypmsf1\0\0\0\0msf1iso8'],
  ['heic', '\0\0\0\x18ftypheif\0\0\0\0'],
  [undefined, '\0\0\0\x1cftypmp42\0\0\0\0isommp42'],
  [undefined, 'GIF89a'],
  [undefined, '%PDF-1.7'],
  [undefined, '<svg xmlns="http://www.w3.org/2000/svg">'],
  [undefined, ' \xff\xd8\xff'],
  [undefined, ''],
])('recognises %s by the first bytes', (format, start) => {
  expect(formatOf(bytes(start))).toBe(format)
})
