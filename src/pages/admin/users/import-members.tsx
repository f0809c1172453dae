import upload from '@lucide/icons/icons/upload'
import { useQuery } from '@tanstack/react-query'
import { type ChangeEvent, type ComponentProps, useState } from 'react'
import { accountsApi } from '#accounts/web/api.ts'
import { newKey } from '#foundation/call.ts'
import { many } from '#foundation/collections.ts'
import { formatInstant } from '#foundation/instants.ts'
import type { ImportBatch, ImportResult } from '#imports/contract.ts'
import { type ChosenFile, importsApi, textOf } from '#imports/web/api.ts'
import { Button } from '#ui/button.tsx'
import { Disclosure } from '#ui/disclosure.tsx'
import { FieldLayout, type FieldProps, useFieldAria } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { RowButton } from '#ui/rows.tsx'
import { Section } from '#ui/section.tsx'
import { useDialog } from '#ui/use-dialog.ts'
import { useAdminMutation } from '../admin-mutation.ts'
import { ConfirmChange, Refused } from '../dialog-form.tsx'
import { PageHead } from '../page-head.tsx'
import { ImportPreview } from './import-preview.tsx'

/** The server's limit, less the overhead of sending. */
const MAX_FILE_BYTES = 4_500_000

export default function ImportMembers() {
  const [file, setFile] = useState<ChosenFile>()
  const [error, setError] = useState<string>()
  const [done, setDone] = useState<ImportResult>()
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = target.files ?? []
    setFile(undefined)
    setDone(undefined)
    setError(undefined)
    if (!chosen) return
    if (chosen.size > MAX_FILE_BYTES) return setError('This file is too large. Please split it: 5,000 rows at a time.')
    try {
      const { text, encoding } = textOf(new Uint8Array(await chosen.arrayBuffer()))
      // An Excel workbook contains this character, a text file never does.
      if (text.includes('\0')) return setError('This is not a CSV file. In Excel, save it as “CSV UTF-8”.')
      setFile({ id: newKey(), csv: text, encoding })
    } catch {
      setError('This file could not be opened. Please choose it again.')
    }
  }
  return (
    <>
      <PageHead title="Import members" to="/admin?tab=Users" back="Users" />
      <p className="mt-2 mb-6 max-w-[65ch] text-ink-soft">
        A CSV file from Momence, Mindbody, TeamUp or a spreadsheet. You see a preview before anything is imported.
      </p>
      <div className="max-w-md">
        <FileField label="CSV file" accept=".csv,.txt,.tsv,text/csv,text/plain" error={error} onChange={choose} />
        <Disclosure label="What it may contain" className="mt-6 border-b pb-2">
          <p className="py-2 text-small text-ink-soft">
            Names and email addresses or phone numbers, and optionally credits with expiry date and package, future
            bookings (date and time of a class on your calendar) and consent to news (with date and source). We don’t
            email anyone about imported bookings; reminders go out as usual.
          </p>
        </Disclosure>
      </div>
      {done && <Done result={done} />}
      {file && !done && <ImportPreview key={file.id} file={file} onDone={setDone} />}
      <RecentImports
        onTakenBack={() => {
          setFile(undefined)
          setDone(undefined)
        }}
      />
      <Uninvited />
    </>
  )
}

function Done({ result: { counts } }: { result: ImportResult }) {
  const { members, credits, passes, bookings, nothing, wrong } = counts
  return (
    <div role="status" className="mt-8 rounded-row bg-ok-tint p-5 text-ok">
      <p className="font-medium">
        {many(members, 'member')} added, {many(credits, 'credit')} on {many(passes, 'pass', 'passes')}.
      </p>
      <p className="mt-1 text-small">
        {many(bookings, 'class', 'classes')} booked, {many(nothing, 'row')} unchanged, {many(wrong, 'row')} left out.
      </p>
    </div>
  )
}

function RecentImports({ onTakenBack }: { onTakenBack: () => void }) {
  const { dialog, open } = useDialog()
  const imports = useQuery(importsApi.listImports.queryOptions())
  if (imports.data?.length === 0) return null
  return (
    <Section title="Recent imports" level="h3" gap="mb-2" className="mt-12 border-t border-line pt-6">
      <p className="mb-4 max-w-[65ch] text-ink-soft">
        The reconciliation sheet compares the credits of the old system with those imported. You can take back an import
        on the same day, while none of its credits have been used and it booked no classes.
      </p>
      <QueryView query={imports} failed="The imports could not be loaded." loading="Loading the imports...">
        {(list) => (
          <ul className="divide-y divide-line border-y border-line">
            {list.map((batch) => (
              <li key={batch.id} className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-2">
                <span className="tabular-nums">{formatInstant(batch.importedAt)}</span>
                <span className="text-ink-soft">{wordsOf(batch)}</span>
                {batch.takenBackAt && <span className="text-ink-mute">Taken back</span>}
                <a
                  href={`/api/admin/imports/${batch.id}/reconciliation.csv`}
                  download
                  className="link ml-auto inline-flex min-h-11 items-center text-small"
                >
                  Reconciliation sheet
                </a>
                {batch.mayTakeBack && (
                  <RowButton
                    label="Take back"
                    name={`Take back the import of ${formatInstant(batch.importedAt)}`}
                    onClick={() => open(TakeBackDialog, { batch, onTakenBack })}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      {dialog}
    </Section>
  )
}

const wordsOf = ({ members, credits, passes, bookings }: ImportBatch) =>
  `${many(members, 'member')} added, ${many(credits, 'credit')} on ${many(passes, 'pass', 'passes')}${bookings > 0 ? `, ${many(bookings, 'class', 'classes')} booked` : ''}`

type TakeBackProps = { batch: ImportBatch; onClose: () => void; onTakenBack: () => void }

function TakeBackDialog({ batch, onClose, onTakenBack }: TakeBackProps) {
  return (
    <ConfirmChange
      title="Take this import back?"
      text={`${formatInstant(batch.importedAt)}: ${wordsOf(batch)}. This removes its credits, the consents to news that it recorded and the members it added. Members who have been invited, or who have done or been given anything since, stay without these credits. You can import a corrected file afterwards.`}
      keep="Keep"
      confirm="Take back"
      mutationFn={() => importsApi.takeBackImport.call({ params: { id: batch.id } })}
      toasts={{
        success: ({ membersRemoved, credits }) =>
          `${many(membersRemoved, 'member')} and ${many(credits, 'credit')} removed`,
        failure: 'Failed to take the import back',
      }}
      onDone={onTakenBack}
      onClose={onClose}
    />
  )
}

function Uninvited() {
  const uninvited = useQuery(accountsApi.countUninvited.queryOptions())
  const invite = useAdminMutation({
    mutationFn: () => accountsApi.sendInvitations.call(),
    toasts: {
      success: ({ sent }) => `${many(sent, 'invitation is', 'invitations are')} on the way`,
      failure: 'Failed to send the invitations',
    },
  })
  const waiting = uninvited.data?.waiting ?? 0
  if (waiting === 0) return null
  return (
    <Section title="Invitations" level="h3" gap="mb-2" className="mt-12 border-t border-line pt-6">
      <p className="mb-4 max-w-[65ch] text-ink-soft">
        {many(waiting, 'member has', 'members have')} no password and {waiting === 1 ? 'has' : 'have'} not been invited
        to set one.
      </p>
      <Button variant="secondary" runs={invite}>
        Send {many(waiting, 'invitation')}
      </Button>
      <Refused refusal={invite.refusal} />
    </Section>
  )
}

/** Our own file input: the browser's is on top of it, transparent, because its label is in the browser's language. */
function FileField({ label, error, help, onChange, ...input }: Omit<ComponentProps<'input'>, 'type'> & FieldProps) {
  const [name, setName] = useState<string>()
  const field = { label, error, help }
  const { id, control } = useFieldAria(field)
  return (
    <FieldLayout id={id} field={field}>
      <div
        className={`input relative flex items-center gap-3 has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-sage-deep ${error ? 'border-err' : ''}`}
      >
        <input
          {...input}
          {...control}
          type="file"
          className="absolute inset-0 w-full cursor-pointer opacity-0"
          onChange={(event) => {
            setName(event.target.files?.[0]?.name)
            onChange?.(event)
          }}
        />
        <Icon of={upload} size={18} className="flex-none" />
        <span aria-hidden className="link flex-none">
          {name ? 'Choose another' : 'Choose a file'}
        </span>
        <span className="min-w-0 truncate text-ink-mute">{name ?? 'or drop it here'}</span>
      </div>
    </FieldLayout>
  )
}
