import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { editStudio, readOwnStudio, readStudio, readStudioBefore } from '#facts/contract.ts'
import { commonRefusals } from '#foundation/refusal.ts'
import type { Person } from '#testing/person.ts'
import { openStudio, shareStudio } from '#testing/studio-under-test.ts'
import { pictureRefusals } from '../contract.ts'
import { MAX_BYTES } from '../rules.ts'
import { blackPng, fetchFile, jpeg, photo, upload } from './pictures-under-test.ts'

const story = shareStudio()
const show = (admin: Person, pictures: object) => admin.call(editStudio, { body: { pictures } })
const shownTo = async (who: Person) => (await who.read(readStudio)).pictures

describe('an uploaded picture', () => {
  test('is cropped for the page and for phones, and is on the page once the facts name it', async () => {
    const { studio, dora } = story
    const { status, body } = await upload(dora, 'hero', await jpeg({ width: 1400, height: 2000 }))
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        width: 1400,
        height: 735,
        widths: [320, 480, 640, 800, 960, 1280, 1400],
        narrow: { width: 960, height: 1236, widths: [320, 480, 640, 800, 960] },
      },
    ])
    for (const [crop, { height, width, widths }] of Object.entries({ wide: body, narrow: body.narrow })) {
      for (const each of widths) {
        const file = await fetchFile(studio.server.origin, `/pictures/${body.id}/${crop}/${each}.webp`)
        const made = await sharp(file.content).metadata()
        expect(made).toMatchObject({ format: 'webp', width: each, height: Math.round((each * height) / width) })
      }
    }
    expect(await shownTo(studio.visitor())).toEqual({})
    await show(dora, { hero: { id: body.id, alt: ' A light room ' } })
    expect(await shownTo(studio.visitor())).toEqual({ hero: { ...body, alt: 'A light room' } })
    const [edited, uploaded] = (await dora.request('GET', '/api/admin/audit?subject=studio:facts')).body
    expect(edited.changes).toEqual({
      pictures: { before: null, after: `hero: A light room (${body.id.slice(0, 6)})` },
    })
    expect(uploaded).toMatchObject({ action: 'picture_uploaded', admin: { id: dora.id } })
  })

  test('is served for ever, as a picture only, to everyone and to webmail', async () => {
    const { studio, dora } = story
    const { id } = (await upload(dora, 'portrait', await jpeg())).body
    const path = `/pictures/${id}/wide/320.webp`
    const { status, headers } = await fetchFile(studio.server.origin, path)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cross-origin-resource-policy': 'cross-origin',
    })
    const known = { 'if-none-match': headers.get('etag') ?? '', 'cache-control': 'max-age=0' }
    expect(await fetchFile(studio.server.origin, path, known)).toMatchObject({
      status: 304,
      content: Buffer.alloc(0),
    })
    for (const other of ['wide/321.webp', 'narrow/320.webp', 'wide/320.jpg', 'wide/..%2f320.webp', 'x/320.webp'])
      expect((await fetchFile(studio.server.origin, `/pictures/${id}/${other}`)).status, other).toBe(404)
  })

  test('loses its place and device, and is turned upright', async () => {
    const { studio, dora } = story
    const blue = await sharp({ create: { width: 1000, height: 300, channels: 3, background: '#0000ff' } })
      .png()
      .toBuffer()
    // Stored on its side: blue is at the top, and on the right once it is turned.
    const onItsSide = await sharp(
      await photo({ width: 1000, height: 800, colour: '#ff0000', orientation: 6 }).jpeg().toBuffer(),
    )
      .composite([{ input: blue, top: 0, left: 0 }])
      .keepMetadata()
      .jpeg()
      .toBuffer()
    const before = await sharp(onItsSide).metadata()
    expect(before).toMatchObject({ width: 1000, height: 800, orientation: 6 })
    expect(before.exif?.toString('latin1')).toContain('Telephone')
    const { body } = await upload(dora, 'portrait', onItsSide)
    expect(body).toMatchObject({ width: 800, height: 1000 })
    const { content } = await fetchFile(studio.server.origin, `/pictures/${body.id}/wide/800.webp`)
    const after = await sharp(content).metadata()
    expect([after.exif, after.xmp, after.iptc, after.orientation]).toEqual([undefined, undefined, undefined, undefined])
    expect(content.toString('latin1')).not.toMatch(/Exif|GPS|Telephone/)
    const colourAt = async (left: number) =>
      [...(await sharp(content).extract({ left, top: 500, width: 1, height: 1 }).raw().toBuffer())].map(
        (part) => part > 128,
      )
    expect([await colourAt(50), await colourAt(750)]).toEqual([
      [true, false, false],
      [false, false, true],
    ])
  })

  test.each(['png', 'webp', 'avif'] as const)('may be a %s', async (format) => {
    const file = await photo({ width: 640, height: 480, colour: '#8a9a7b' }).toFormat(format).toBuffer()
    expect(await upload(story.dora, 'duo', file)).toMatchObject({ status: 201, body: { width: 640, height: 480 } })
  })

  test('is one picture however often the same file is uploaded for a place, also at the same time', async () => {
    const { studio, dora } = story
    const file = await jpeg({ colour: '#345678' })
    const both = await Promise.all([upload(dora, 'gallery3', file), upload(dora, 'gallery3', file)])
    const again = await upload(dora, 'gallery3', file)
    expect(again.status).toBe(200)
    for (const { body } of both) expect(body).toEqual(again.body)
    const { rows } = await studio.server.database.pool.query(
      `select count(*)::int as pictures from pictures where id = $1`,
      [again.body.id],
    )
    expect(rows).toEqual([{ pictures: 1 }])
    expect((await upload(dora, 'gallery5', file)).body.id).not.toBe(again.body.id)
  })
})

describe('accepts', () => {
  const waves = (wish: object) => {
    const pixels = Buffer.from(Array.from({ length: 900 * 700 * 3 }, (_, i) => 128 + 90 * Math.sin(i / 97) + (i % 31)))
    return sharp(pixels, { raw: { width: 900, height: 700, channels: 3 } })
      .jpeg({ quality: 90, ...wish })
      .toBuffer()
  }
  test.each([1, 2, 3, 10, 100])('a JPEG without its last %i bytes', async (missing) => {
    for (const progressive of [false, true]) {
      const whole = await waves({ progressive })
      const { status, body } = await upload(story.dora, 'duo', whole.subarray(0, -missing))
      expect([status, body.width]).toEqual([201, 900])
    }
  })

  test('a photo of 50 megapixels as phones make it, whatever its format', async () => {
    const { dora } = story
    expect((await upload(dora, 'duo', await jpeg({ width: 8192, height: 6144 }))).status).toBe(201)
    expect((await upload(dora, 'duo', blackPng(8160, 6144))).status).toBe(201)
  })

  test('a JPEG of 200 megapixels, of which little is decoded, but no progressive one', async () => {
    const { dora } = story
    const huge = photo({ width: 16_320, height: 12_240 })
    expect((await upload(dora, 'duo', await huge.jpeg({ quality: 50 }).toBuffer())).status).toBe(201)
    const progressive = await photo({ width: 10_000, height: 8000 }).jpeg({ quality: 50, progressive: true }).toBuffer()
    expect(await upload(dora, 'duo', progressive)).toBeRefused(pictureRefusals.picture_too_large)
  })
})

describe('refuses', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const { picture_format_refused, picture_too_large, picture_damaged, picture_too_small, picture_is_heic } =
    pictureRefusals
  test.each([
    ['an SVG with a script', async () => Buffer.from(svg), picture_format_refused],
    ['a PDF, whatever its name', async () => Buffer.from('%PDF-1.7\n%âãÏÓ'), picture_format_refused],
    ['a GIF', async () => photo({ width: 640, height: 480 }).gif().toBuffer(), picture_format_refused],
    ['nothing', async () => Buffer.alloc(0), picture_format_refused],
    ['HEIF of a phone', async () => Buffer.from('\0\0\0\x18ftypmif1\0\0\0\0mif1miaf', 'latin1'), picture_is_heic],
    ['HEIC', async () => Buffer.from('\0\0\0\x1cftypheic\0\0\0\0mif1heic', 'latin1'), picture_is_heic],
    ['a JPEG that is cut short', async () => (await jpeg()).subarray(0, 3000), picture_damaged],
    [
      'half a JPEG',
      async () =>
        photo()
          .jpeg({ quality: 100 })
          .toBuffer()
          .then((all) => all.subarray(0, all.length / 2)),
      picture_damaged,
    ],
    [
      'an SVG behind the first bytes of a JPEG',
      async () => Buffer.from(`\xff\xd8\xff${svg}`, 'latin1'),
      picture_damaged,
    ],
    ['a PNG bomb of 60 megapixels', async () => blackPng(8000, 7500), picture_too_large],
    ['a PNG bomb of 3,600 megapixels', async () => blackPng(60_000, 60_000, 10), picture_too_large],
    ['a picture that is too narrow', async () => jpeg({ width: 319, height: 800 }), picture_too_small],
  ])('%s, and stores nothing', async (_, file, refusal) => {
    const { studio, dora } = story
    const count = async () =>
      (await studio.server.database.pool.query('select count(*)::int as stored from picture_files')).rows[0].stored
    const before = await count()
    const bytes = await file()
    const startedAt = performance.now()
    expect(await upload(dora, 'gallery1', bytes)).toBeRefused(refusal)
    if (refusal === picture_too_large) expect(performance.now() - startedAt).toBeLessThan(30_000)
    expect(await count()).toBe(before)
  })

  test('accepts 49 megapixels and refuses a file over 15 MB before it arrives', async () => {
    const { dora } = story
    expect(await upload(dora, 'hero', await jpeg({ width: 7000, height: 7000 }))).toMatchObject({
      status: 201,
      body: { width: 1600 },
    })
    expect(await upload(dora, 'hero', Buffer.alloc(MAX_BYTES + 1, 0xff))).toBeRefused(picture_too_large)
  })

  test('a place that does not exist, JSON, and other people', async () => {
    const { studio, ana, dora } = story
    const file = await jpeg()
    expect((await upload(dora, 'cellar' as 'hero', file)).body.errors).toEqual([
      { path: 'place', message: 'Choose a place for the picture' },
    ])
    expect(await dora.request('POST', '/api/admin/pictures?place=hero', { id: 1 })).toBeRefused(picture_format_refused)
    expect(await upload(ana, 'hero', file)).toBeRefused(commonRefusals.forbidden)
    expect(await upload(studio.visitor(), 'hero', file)).toBeRefused(commonRefusals.unauthorized)
    // No other address reads such a body.
    expect((await dora.request('PUT', '/api/admin/studio', file)).status).toBe(415)
  })
})

describe('the facts', () => {
  test('refuse a picture of another place, an unknown one and one without words; undo brings the last one back', async () => {
    const { studio, dora } = await openStudio()
    const [first, second] = [
      await upload(dora, 'duo', await jpeg()),
      await upload(dora, 'duo', await jpeg({ colour: '#123456' })),
    ]
    const { id } = first.body
    expect(await show(dora, { hero: { id, alt: 'A room' } })).toBeRefused(pictureRefusals.picture_not_found)
    expect(await show(dora, { duo: { id: '0'.repeat(32), alt: 'A room' } })).toBeRefused(
      pictureRefusals.picture_not_found,
    )
    expect((await show(dora, { duo: { id, alt: ' ' } })).body.errors).toEqual([
      { path: 'pictures.duo.alt', message: 'Please describe the picture for people who cannot see it' },
    ])
    expect(await shownTo(dora)).toEqual({})

    await show(dora, { duo: { id, alt: 'Two reformers' } })
    await show(dora, { duo: { id: second.body.id, alt: 'Two reformers' } })
    const { version } = await dora.read(readOwnStudio)
    expect(version).toBe(2)
    const { version: _, changedAt: __, ...before } = await dora.read(readStudioBefore, { params: { id: version } })
    await dora.call(editStudio, { body: { ...before, ifVersion: version } })
    expect((await shownTo(studio.visitor())).duo?.id).toBe(id)
    await show(dora, {})
    expect(await shownTo(studio.visitor())).toEqual({})
  })

  test('keep their pictures for 30 days after the last version that showed them; the nightly job deletes the rest', async () => {
    const { studio, dora } = await openStudio({ now: '2026-12-01 09:00' })
    const [one, two, three, unused] = await Promise.all(
      ['#111111', '#222222', '#333333', '#444444'].map(
        async (colour): Promise<string> => (await upload(dora, 'portrait', await jpeg({ colour }))).body.id,
      ),
    )
    const kept = async () => {
      await studio.server.workers['tidy-up']({}, 'by hand')
      const { rows } = await studio.server.database.pool.query('select id from pictures')
      return new Set(rows.map(({ id }) => id))
    }
    await show(dora, { portrait: { id: one, alt: 'Eleanor' } })
    studio.travelTo('2026-12-02 09:00')
    await show(dora, { portrait: { id: two, alt: 'Eleanor' } })
    studio.travelTo('2026-12-20 09:00')
    await studio.logIn(dora)
    await show(dora, { portrait: { id: three, alt: 'Eleanor' } })

    studio.travelTo('2026-12-31 09:00')
    expect(await kept()).toEqual(new Set([one, two, three, unused]))
    // 30 days after the upload; the first picture was still shown on 2 December.
    studio.travelTo('2026-12-31 09:01')
    expect(await kept()).toEqual(new Set([one, two, three]))
    studio.travelTo('2027-01-01 09:01')
    expect(await kept()).toEqual(new Set([two, three]))
    // The version before the current one can always be restored.
    studio.travelTo('2027-03-01 09:00')
    expect(await kept()).toEqual(new Set([two, three]))
    await studio.logIn(dora)
    expect(await show(dora, { portrait: { id: one, alt: 'Eleanor' } })).toBeRefused(pictureRefusals.picture_not_found)
  })

  test('and the picture reach another process at its next poll', async () => {
    const { studio, dora } = await openStudio()
    const { server } = await studio.startSecondProcess()
    const { id } = (await upload(dora, 'hero', await jpeg())).body
    await show(dora, { hero: { id, alt: 'A light room' } })
    const there = await fetchFile(server.origin, `/pictures/${id}/wide/640.webp`)
    const here = await fetchFile(studio.server.origin, `/pictures/${id}/wide/640.webp`)
    expect([there.status, there.content.equals(here.content)]).toEqual([200, true])
    const facts = JSON.parse((await fetchFile(server.origin, '/api/studio')).content.toString())
    expect(facts.pictures.hero.id).toBe(id)
  })
})

test('the database accepts no file without its picture, of another crop, or over 2 MB, and deletes files with their picture', async () => {
  const { studio, dora } = story
  const { id } = (await upload(dora, 'closeUp', await jpeg())).body
  const { pool } = studio.server.database
  const add = (picture: string, crop: string, bytes: number) =>
    pool.query('insert into picture_files values ($1, $2, 7, $3)', [picture, crop, Buffer.alloc(bytes)])
  await expect(add('0'.repeat(32), 'wide', 1)).rejects.toMatchObject({ constraint: 'picture_files_picture_id_fkey' })
  await expect(add(id, 'tall', 1)).rejects.toMatchObject({ constraint: 'picture_files_crop_check' })
  await expect(add(id, 'wide', 0)).rejects.toMatchObject({ constraint: 'picture_files_content_check' })
  await expect(add(id, 'wide', 2_000_001)).rejects.toMatchObject({ constraint: 'picture_files_content_check' })
  await add(id, 'wide', 2_000_000)
  await expect(add(id, 'wide', 1)).rejects.toMatchObject({ constraint: 'picture_files_pkey' })
  await pool.query('delete from pictures where id = $1', [id])
  expect((await pool.query('select width from picture_files where picture_id = $1', [id])).rows).toEqual([])
})
