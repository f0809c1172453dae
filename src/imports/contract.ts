import { z } from 'zod'
import { STEP_UP_AFTER_MINUTES } from '#accounts/rules.ts'
import { endpoint } from '#foundation/endpoint.ts'
import { DateText, Flag, InstantText, PathId, TimeText, withDefault } from '#foundation/fields.ts'
import { refusals } from '#foundation/refusal.ts'
import { DATE_ORDERS, FIELDS } from './rules.ts'

export const importRefusals = refusals({
  import_unreadable: [400, 'This file could not be read as a list of members, so nothing was imported.'],
  import_not_found: [404, 'This import does not exist.'],
  already_taken_back: [400, 'This import has already been taken back.'],
  take_back_too_late: [400, 'You can only take back an import on the same day. Please correct the passes one by one.'],
  import_used: [
    400,
    'Credits of this import have been used, so it cannot be taken back. Please correct the passes one by one.',
  ],
  import_has_bookings: [
    400,
    'This import booked classes, so it cannot be taken back. Please cancel the bookings and correct the passes one by one.',
  ],
  import_rows_invalid: [
    400,
    'Some rows of this file have errors, so nothing was imported. Correct them, or leave them out.',
  ],
})

const MAX_FILE_BYTES = 5 * 1024 * 1024

/** What a column is taken for; null for nothing. */
const TakenFor = z.enum(FIELDS, 'Choose what the column holds').nullable()

export const FileColumn = z
  .object({
    /** Different for each column: the second `Phone` is `Phone (2)`. */
    heading: z.string(),
    /** Up to three different cells. */
    samples: z.array(z.string()),
    takenFor: TakenFor,
  })
  .meta({ id: 'FileColumn' })
export type FileColumn = z.output<typeof FileColumn>

/** What one row does, or would do. */
export const ImportRow = z
  .object({
    /** The line in the file, starting at 1. */
    line: z.int(),
    name: z.string(),
    /** Null for a member by phone number only. */
    email: z.string().nullable(),
    phone: z.string().nullable(),
    /**
     * Adds a member, gives a pass to an existing one, both, only books or records consent, does nothing, or has an
     * error.
     */
    does: z.enum(['add', 'add_with_pass', 'pass', 'book', 'consent', 'nothing', 'wrong']),
    credits: z.int(),
    package: z.string().nullable(),
    expiresOn: DateText().nullable(),
    /** The class that it books. */
    books: z.object({ title: z.string(), date: DateText(), startTime: TimeText() }).nullable(),
    /** Since when the member agrees to news and offers, if the row says so. */
    consentSince: DateText().nullable(),
    /** Errors or hints. */
    notes: z.array(z.string()),
  })
  .meta({ id: 'ImportRow' })
export type ImportRow = z.output<typeof ImportRow>

export const ImportResult = z
  .object({
    dryRun: z.boolean(),
    /** Null for a dry run, or if there was nothing to import. */
    importId: z.int().nullable(),
    columns: z.array(FileColumn),
    /** How dates in numbers only are read; null if there are none. */
    dateOrder: z.enum(DATE_ORDERS).nullable(),
    /** What was left out or decided for the whole file. */
    notes: z.array(z.string()),
    /** Errors of the file as a whole. */
    problems: z.array(z.string()),
    /** Only for a dry run. */
    rows: z.array(ImportRow),
    counts: z.object({
      /** New ones. */
      members: z.int(),
      /** Rows about members that the site has already. */
      known: z.int(),
      passes: z.int(),
      credits: z.int(),
      bookings: z.int(),
      consents: z.int(),
      nothing: z.int(),
      wrong: z.int(),
      /** Rows that are imported with a note. */
      toCheck: z.int(),
      invitations: z.int(),
    }),
  })
  .meta({ id: 'ImportResult' })
export type ImportResult = z.output<typeof ImportResult>

export const importMembers = endpoint('POST /api/admin/import', {
  summary:
    'Import members, their remaining credits, future bookings and consent to news from a CSV file, all or nothing; a dry run only reports what would change',
  bodyLimit: MAX_FILE_BYTES,
  body: z.object({
    csv: z.string('Please choose a file').min(1, 'Please choose a file'),
    dryRun: Flag,
    /** Corrections by heading: what these columns hold. */
    columns: z.record(z.string().max(255), TakenFor).nullish(),
    /** If not as the cells suggest. */
    dateOrder: z.enum(DATE_ORDERS, 'Choose an order of day and month').nullish(),
    /** Whether to email new members an invitation now. */
    invite: withDefault(Flag, false),
    leaveOutWrong: withDefault(Flag, false),
  }),
  response: ImportResult,
  refusals: [importRefusals.import_unreadable, importRefusals.import_rows_invalid],
})

export const ImportBatch = z
  .object({
    id: z.int(),
    importedAt: InstantText,
    members: z.int(),
    passes: z.int(),
    credits: z.int(),
    bookings: z.int(),
    takenBackAt: InstantText.nullable(),
    /** Whether it is still its day and it booked nothing; used credits are checked later. */
    mayTakeBack: z.boolean(),
  })
  .meta({ id: 'ImportBatch' })
export type ImportBatch = z.output<typeof ImportBatch>

export const listImports = endpoint('GET /api/admin/imports', {
  summary: 'The last ten imports, newest first',
  response: z.array(ImportBatch),
})

export const reconcileImport = endpoint('GET /api/admin/imports/:id/reconciliation.csv', {
  summary: 'The credits of each imported member in the old system, as imported and now, as a spreadsheet file',
  params: PathId,
  file: 'text/csv',
  response: z.string(),
  refusals: [importRefusals.import_not_found],
})

export const takeBackImport = endpoint('DELETE /api/admin/imports/:id', {
  stepUpAfterMinutes: STEP_UP_AFTER_MINUTES,
  summary:
    'Take an import back on the same day while none of its credits has been used: voids its passes, takes back the consents that it recorded, erases members it added who were not invited and about whom nothing was written since, and lets its rows be imported again',
  params: PathId,
  response: z
    .object({ membersRemoved: z.int(), membersKept: z.int(), credits: z.int() })
    .meta({ id: 'TakenBackImport' }),
  refusals: [
    importRefusals.import_not_found,
    importRefusals.already_taken_back,
    importRefusals.take_back_too_late,
    importRefusals.import_used,
    importRefusals.import_has_bookings,
  ],
})
