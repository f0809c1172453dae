import arrowLeft from '@lucide/icons/icons/arrow-left'
import { type ChangeEvent, useState } from 'react'
import { Link } from 'react-router'
import { newKey } from '#foundation/lost-answers.ts'
import { many } from '#foundation/many.ts'
import type { ImportResult } from '#imports/contract.ts'
import { type ChosenFile, textOf } from '#imports/web/api.ts'
import { FileField } from '#ui/file-field.tsx'
import { Icon } from '#ui/icon.tsx'
import { ImportPreview } from './import-preview.tsx'
import { RecentImports } from './recent-imports.tsx'
import { Uninvited } from './uninvited.tsx'

/** What the server takes, less what sending adds. */
const BIGGEST_BYTES = 4_500_000

/** Members of another system, out of its CSV file: what would happen is shown before anything does. */
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
    if (chosen.size > BIGGEST_BYTES) return setError('This file is too large. Please split it: 5,000 rows at a time.')
    try {
      const { text, encoding } = textOf(new Uint8Array(await chosen.arrayBuffer()))
      setFile({ id: newKey(), csv: text, encoding })
    } catch {
      setError('This file could not be opened. Please choose it again.')
    }
  }
  return (
    <>
      <Link to="/admin?tab=Users" preventScrollReset className="link mb-4 inline-flex min-h-11 items-center gap-2">
        <Icon of={arrowLeft} size={18} strokeWidth={1.5} /> All users
      </Link>
      <h1 className="display-3">Import members</h1>
      <p className="mt-3 mb-6 max-w-[65ch] text-ink-soft">
        A CSV file from Momence, Mindbody, TeamUp or a spreadsheet: names and email addresses, and if you like phone
        numbers, credits, their expiry date and the package. You see what would happen before anything does.
      </p>
      <div className="max-w-md">
        <FileField label="CSV file" accept=".csv,.txt,.tsv,text/csv,text/plain" error={error} onChange={choose} />
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
  const { members, credits, passes, nothing, wrong } = counts
  return (
    <div role="status" className="mt-8 rounded-row bg-ok-tint p-5 text-ok">
      <p className="font-medium">
        {many(members, 'member')} added, {many(credits, 'credit')} on {many(passes, 'pass', 'passes')}.
      </p>
      <p className="mt-1 text-[0.9375rem]">
        {many(nothing, 'row')} had nothing to do, {many(wrong, 'row')} left out.
      </p>
    </div>
  )
}
