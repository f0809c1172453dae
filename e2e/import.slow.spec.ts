import { openTab } from './admin.ts'
import { expectToast, openMore } from './member.ts'
import { expect, newEmail, test } from './site.ts'

test('imports members from a CSV file after a preview, once, and invites them later', async ({ page, site }) => {
  const [ida, jon] = [newEmail('ida'), newEmail('jon')]
  const csv = [
    'Vorname;Nachname;Kontakt;Credits;Expires',
    `Zoë;Holm;${ida};8;31/01/2027`,
    `Jon;Berg;${jon};;`,
    '=1+1;Berg;x@old.example;;',
  ].join('\r\n')
  const file = { name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(csv, 'latin1') }
  await openTab(page, site, 'Users')
  await openMore(page, 'members')
  await page.getByRole('link', { name: 'Import' }).click()
  await page
    .getByLabel('CSV file')
    .setInputFiles({ ...file, name: 'members.xlsx', buffer: Buffer.from('PK\x03\x04\x14\x00') })
  await expect(page.getByLabel('CSV file')).toHaveAccessibleDescription(/^This is not a CSV file/)
  await page.getByLabel('CSV file').setInputFiles(file)
  await expect(page.getByText(/older version of Excel/)).toBeVisible()
  await expect(page.getByRole('alert')).toHaveText('Which columns hold the names?')
  await expect(page.getByText(`${ida} · ${jon} · x@old.example`)).toBeVisible()
  await page.getByLabel('Vorname').selectOption('First name')
  await page.getByLabel('Nachname').selectOption('Last name')
  const rows = page.getByRole('table', { name: 'Rows of the file' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('The name looks like a formula.')
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
  await page.getByLabel('Show').selectOption('All rows')
  await expect(rows.nth(1)).toContainText(/Zoë Holm.*Added with a pass.*8.*until 31\/01\/2027/)
  await page.getByLabel('Leave out 1 row with an error').check()
  await page.getByRole('button', { name: 'Import', exact: true }).dblclick()
  await expectToast(page, '2 members and 8 credits imported')
  await expect(page.getByText('2 members added, 8 credits on 1 pass.')).toBeVisible()

  await page.getByLabel('CSV file').setInputFiles([])
  await page.getByLabel('CSV file').setInputFiles(file)
  await page.getByLabel('Vorname').selectOption('First name')
  await page.getByLabel('Nachname').selectOption('Last name')
  await page.getByLabel('Show').selectOption('All rows')
  await expect(rows.nth(1)).toContainText('This row has already been imported.')
  await expect(page.getByText('There is nothing to import.')).toBeVisible()
  await page.getByRole('button', { name: /^Send \d+ invitations?$/ }).click()
  await expectToast(page, /invitations? (is|are) on the way/)
  expect((await site.mailTo(ida, /Your account/)).text).toContain('/auth#invitation=')
  const { rows: kept } = await site.pool.query(
    'select credits_remaining from passes join users on users.id = user_id where email = $1',
    [ida],
  )
  expect(kept).toEqual([{ credits_remaining: 8 }])
})

test('takes back an import with wrong credits and imports the corrected file', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const email = newEmail('una')
  const choose = async (credits: number) => {
    const csv = ['First name,Last name,Email,Credits', `Una,Lind,${email},${credits}`].join('\r\n')
    const file = { name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
    await page.getByLabel('CSV file').setInputFiles(file)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(page.getByText(`1 member added, ${credits} credits on 1 pass.`)).toBeVisible()
  }
  await openTab(page, site, 'Users')
  await openMore(page, 'members')
  await page.getByRole('link', { name: 'Import' }).click()
  await choose(80)
  const recent = page.getByRole('region', { name: 'Recent imports' })
  await recent
    .getByRole('button', { name: /^Take back the import of/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Take this import back?' })
  await expect(dialog).toContainText('1 member added, 80 credits on 1 pass')
  await dialog.getByRole('button', { name: 'Take back' }).click()
  await expectToast(page, '1 member and 80 credits removed')
  await expect(recent.getByRole('listitem').first()).toContainText('Taken back')
  await choose(8)
  const { rows } = await site.pool.query(
    'select credits_remaining from passes join users on users.id = user_id where email = $1',
    [email],
  )
  expect(rows).toEqual([{ credits_remaining: 8 }])
})

test('shows what is taken for what, and reads the file again as the admin corrects it', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const [nell, oona] = [newEmail('nell'), newEmail('oona')]
  const csv = [
    'Class pass balances',
    'Client,Email,Visits remaining,Expiry,Ref',
    `"Ashby, Mrs Nell",${nell},5,03/04/2027,A1`,
    `Oona,${oona},Unlimited,12/31/2026,A2`,
  ].join('\n')
  await openTab(page, site, 'Users')
  await openMore(page, 'members')
  await page.getByRole('link', { name: 'Import' }).click()
  await page
    .getByLabel('CSV file')
    .setInputFiles({ name: 'balances.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await expect(page.getByText('Above the headings, “Class pass balances” is left out.')).toBeVisible()
  await expect(page.getByText(/“Expiry”: the dates are American/)).toBeVisible()
  await expect(page.getByText('Not imported: Ref')).toBeVisible()
  await expect(page.getByLabel('Visits remaining')).toHaveValue('credits')
  const rows = page.getByRole('table', { name: 'Rows of the file' })
  await expect(rows).toContainText(/“Unlimited” is not a whole number of credits/)
  await expect(rows).toContainText('until 04/03/2027')
  await page.getByLabel('Dates in numbers').selectOption('Day first: 31/12/2026')
  await expect(rows).toContainText('until 03/04/2027')
  await page.getByLabel('Visits remaining').selectOption('Not imported')
  await expect(page.getByText('Not imported: Visits remaining, Ref')).toBeVisible()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByText('2 members added, 0 credits on 0 passes.')).toBeVisible()
})
