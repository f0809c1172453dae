import { expect, onTestFinished, test } from 'vitest'
import { openEmptyStudio } from '#testing/studio-under-test.ts'

test('deletes what is left when one of the deletions fails, and fails at the end', async () => {
  const studio = await openEmptyStudio()
  const { pool } = studio.server.database
  await pool.query(
    "insert into csp_reports (at, page, directive, blocked) values (now() - interval '1 year', '/', 'img-src', 'x')",
  )
  await pool.query('alter table one_time_links rename to hidden_links')
  onTestFinished(() => pool.query('alter table hidden_links rename to one_time_links').then(() => {}))
  await expect(studio.server.workers['tidy-up']({}, 'a job')).rejects.toThrow('1 of 16 rows failed')
  expect(await studio.count('select count(*) from csp_reports')).toBe(0)
})
