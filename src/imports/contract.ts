import { z } from 'zod'
import { ASKED_AGAIN_AFTER_MINUTES } from '#accounts/rules.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { DateText, InstantText, orElse, PathId } from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'
import { FIELDS } from './rules.ts'

export const importRefusals = refusals({
  import_unreadable: [400, 'This file could not be read as a list of members, so nothing was done.'],
  import_not_found: [404, 'There is no such import.'],
  already_taken_back: [400, 'This import has been taken back already.'],
  take_back_too_late: [400, 'An import can be taken back on its day only. Please correct the passes one by one.'],
  import_used: [
    400,
    'Credits of this import have been used, so it cannot be taken back. Please correct the passes one by one.',
  ],
  import_rows_invalid: [400, 'Some rows of this file are wrong, so nothing was done. Correct them, or leave them out.'],
})

/** 5 MB. */
const BIGGEST_FILE = 5 * 1024 * 1024

const Columns = z.partialRecord(z.enum(FIELDS), z.string('Please send the heading of a column').max(255).nullable())
export type Columns = z.output<typeof Columns>

/** What one row does, or would do. */
export const ImportRow = z
  .object({
    /** In the file, its first line counting as 1. */
    line: z.int(),
    name: z.string(),
    email: z.string(),
    /** `add` a member, give a `pass` to one who is there, both, nothing, or it cannot be done. */
    does: z.enum(['add', 'add_with_pass', 'pass', 'nothing', 'wrong']),
    credits: z.int(),
    package: z.string().nullable(),
    expiresOn: DateText().nullable(),
    /** What is wrong, or good to know. */
    notes: z.array(z.string()),
  })
  .meta({ id: 'ImportRow' })
export type ImportRow = z.output<typeof ImportRow>

export const ImportResult = z
  .object({
    dryRun: z.boolean(),
    /** By which it can be taken back; null of a dry run, and where nothing was to be done. */
    importId: z.int().nullable(),
    headings: z.array(z.string()),
    /** Which heading was taken for which field. */
    columns: Columns,
    /** What is wrong with the file as a whole. */
    problems: z.array(z.string()),
    /** Of a dry run alone. */
    rows: z.array(ImportRow),
    counts: z.object({
      members: z.int(),
      passes: z.int(),
      credits: z.int(),
      nothing: z.int(),
      wrong: z.int(),
      invitations: z.int(),
    }),
  })
  .meta({ id: 'ImportResult' })
export type ImportResult = z.output<typeof ImportResult>

export const importMembers = endpoint('POST /api/admin/import', {
  who: 'admin',
  summary:
    'Bring members over from a CSV file, with what they have left: all of it or nothing; a dry run says what would be done',
  bodyLimit: BIGGEST_FILE,
  takesKey: true,
  body: z.object({
    csv: z.string('Please choose a file').min(1, 'Please choose a file'),
    dryRun: z.boolean('Please send true or false'),
    /** Which heading to take for which field, where the usual names do not say it; null: none. */
    columns: Columns.nullish(),
    /** Whether who is added is mailed an invitation at once. */
    invite: orElse(z.boolean('Please send true or false'), false),
    leaveOutWrong: orElse(z.boolean('Please send true or false'), false),
  }),
  reply: ImportResult,
  refusals: [importRefusals.import_unreadable, importRefusals.import_rows_invalid],
})

export const ImportBatch = z
  .object({
    id: z.int(),
    importedAt: InstantText,
    members: z.int(),
    passes: z.int(),
    credits: z.int(),
    takenBackAt: InstantText.nullable(),
    /** Whether its day still lets it be taken back; credits used since still refuse it. */
    mayTakeBack: z.boolean(),
  })
  .meta({ id: 'ImportBatch' })
export type ImportBatch = z.output<typeof ImportBatch>

export const listImports = endpoint('GET /api/admin/imports', {
  who: 'admin',
  summary: 'The last ten imports, newest first',
  reply: z.array(ImportBatch),
})

export const takeBackImport = endpoint('DELETE /api/admin/imports/:id', {
  who: 'admin',
  asksAgainAfterMinutes: ASKED_AGAIN_AFTER_MINUTES,
  summary:
    'Take an import back on its day while none of its credits was used: its passes are void, members it added and nobody invited are removed, and its rows can be imported again',
  params: PathId,
  reply: z.object({ membersRemoved: z.int(), membersKept: z.int(), credits: z.int() }).meta({ id: 'TakenBackImport' }),
  refusals: [
    importRefusals.import_not_found,
    importRefusals.already_taken_back,
    importRefusals.take_back_too_late,
    importRefusals.import_used,
  ],
})
