import { whatWeKeep } from '#privacy/register.ts'
import { PageHead } from '../page-head.tsx'
import { Download } from '../reports/download.tsx'

/** What the studio keeps about people, why and how long, from the register. */
export default function WhatWeKeep() {
  return (
    <div className="max-w-[900px]">
      <PageHead title="What we keep and why" to="/admin?view=settings" back="Studio settings" />
      <p className="mt-3 max-w-[38em] text-ink-soft">
        Everything that this site keeps about people. It erases each by itself when its time is over. Members find
        theirs in the download on their dashboard. Keep the PDF with your record of processing.
      </p>
      <div className="mt-6">
        <Download href="/api/admin/what-we-keep.pdf">What we keep (PDF)</Download>
      </div>
      <ul aria-label="What we keep" className="mt-8 border-t border-line text-small/normal">
        {whatWeKeep().map(({ title, why, kept, erased, isInDownload }) => (
          <li key={title} className="grid gap-x-8 gap-y-1 border-b border-line py-4 sm:grid-cols-2">
            <div>
              <h2 className="font-semibold">{title}</h2>
              <p className="text-ink-soft">{why}</p>
            </div>
            <div>
              <p>Kept {kept}</p>
              <p className="text-ink-soft">
                When a member is erased: {erased}. {isInDownload ? 'In the download.' : 'Not in the download.'}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  )
}
