import sharp from 'sharp'
import { expect, test } from 'vitest'
import { pictureRefusals } from '#pictures/contract.ts'
import { blackPng, fetchFile, jpeg, photo, upload } from '#pictures/server/pictures-under-test.ts'
import { openStudio } from '#testing/studio-under-test.ts'
import { listMessages } from '../contract.ts'
import { previews, sendAs } from './mailings-under-test.ts'

const TO_ALL = { audience: 'members' }

test('shows an email’s pictures as JPEG with alt text and size, from every process, for ever', async () => {
  const { studio, ana, dora } = await openStudio()
  const { id, width, height } = (await upload(dora, 'email', await jpeg({ width: 1800, height: 1200 }))).body
  expect([width, height]).toEqual([1020, 680])
  const pictures = [{ id, alt: ' The new reformer ' }]
  expect((await previews(dora, { ...TO_ALL, pictures })).sample?.pictures).toEqual([
    { id, alt: 'The new reformer', width, height },
  ])
  await sendAs(dora, { ...TO_ALL, pictures })
  expect((await dora.read(listMessages))[0]?.pictures).toMatchObject([{ id }])

  const mail = (await studio.mailTo(ana)).at(-1)
  const path = `/pictures/${id}/email/picture.jpg`
  const [img = ''] = new RegExp(`<img[^>]*${path}[^>]*>`).exec(mail?.html ?? '') ?? []
  expect(img).toMatch(/^<img src="https?:\/\/[^"?]+" alt="The new reformer" width="510" height="340"/)
  expect(mail?.text).toContain('see you soon.\n\nPicture: The new reformer')
  // Nothing in the address says who reads it.
  expect(img).not.toContain(ana.id)

  studio.travelTo('2027-12-07 09:00')
  await studio.server.workers['apply-retention']({}, 'by hand')
  await studio.server.workers['tidy-up']({}, 'by hand')
  const { server } = await studio.startSecondProcess()
  const file = await fetchFile(server.origin, path)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  expect(await sharp(file.content).metadata()).toMatchObject({ format: 'jpeg', width: 1020, height: 680 })
  expect((await sharp(file.content).metadata()).exif).toBeUndefined()
  expect((await fetchFile(server.origin, `/pictures/${id}/email/1020.webp`)).status).toBe(404)
})

test('refuses a picture without a description, one for the site, an unknown one, and more than five', async () => {
  const { studio, dora } = await openStudio()
  const [letter, hero] = [await upload(dora, 'email', await jpeg()), await upload(dora, 'hero', await jpeg())]
  const send = (pictures: object[]) => sendAs(dora, { ...TO_ALL, pictures })
  const { id } = letter.body
  expect((await send([{ id, alt: ' ' }])).body.errors).toEqual([
    { path: 'pictures.0.alt', message: 'Please describe the picture for people who cannot see it' },
  ])
  expect((await send(Array(6).fill({ id, alt: 'A room' }))).body.errors).toEqual([
    { path: 'pictures', message: 'Please use at most 5 pictures' },
  ])
  for (const other of [hero.body.id, '0'.repeat(32)])
    expect(await send([{ id: other, alt: 'A room' }])).toBeRefused(pictureRefusals.picture_not_found)
  expect(await studio.count('select count(*) from studio_messages')).toBe(0)
  expect(await upload(dora, 'email', await jpeg({ width: 300, height: 300 }))).toBeRefused(
    pictureRefusals.picture_too_small,
  )
  expect(await upload(dora, 'email', blackPng(60_000, 60_000, 10))).toBeRefused(pictureRefusals.picture_too_large)
})

test('deletes a picture that was uploaded for an email and not sent, after 30 days', async () => {
  const { studio, dora } = await openStudio()
  const upright = await photo({ width: 800, height: 4000 }).png().toBuffer()
  const { id, width, height } = (
    await upload(dora, 'email', await photo({ width: 800, height: 1600 }).png().toBuffer())
  ).body
  expect([width, height]).toEqual([680, 1360])
  expect(await upload(dora, 'email', upright)).toBeRefused(pictureRefusals.picture_too_small)
  const path = `/pictures/${id}/email/picture.jpg`
  studio.travelTo('2027-01-06 09:00:01')
  await studio.server.workers['tidy-up']({}, 'by hand')
  expect(await studio.count(`select count(*) from pictures where id = '${id}'`)).toBe(0)
  expect((await fetchFile(studio.server.origin, path)).status).toBe(404)
})
