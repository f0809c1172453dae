import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { privacyApi } from '#privacy/web/api.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { late, usePreload } from '#ui/late.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { OneDataComplaint } from './data-complaints.tsx'

const [RecordComplaint, fetchRecordComplaint] = late(() => import('./record-complaint.tsx'))

/** Complaints about data by people without an account; a member's are on their page. */
export default function OutsideComplaints({ onClose }: { onClose: () => void }) {
  const complaints = useQuery(privacyApi.listOutsideComplaints.queryOptions())
  const [isRecording, setIsRecording] = useState(false)
  usePreload(fetchRecordComplaint)
  if (isRecording) return <RecordComplaint onClose={() => setIsRecording(false)} />
  return (
    <Dialog
      wide
      onClose={onClose}
      title="Complaints about data"
      description="By people without an account. You find a member’s complaints on their page."
    >
      <div className="mt-5">
        <Button variant="secondary" small onClick={() => setIsRecording(true)}>
          Record a complaint
        </Button>
      </div>
      <div className="mt-6">
        <QueryView query={complaints} failed="The complaints could not be loaded.">
          {(made) =>
            made.length === 0 ? (
              <p className="text-ink-mute">No complaints</p>
            ) : (
              <ul className="border-t border-line">
                {made.map((complaint) => (
                  <li key={complaint.id} className="border-b border-line py-5">
                    <h3 className="font-medium wrap-anywhere">{complaint.name}</h3>
                    <p className="mb-2 text-small wrap-anywhere text-ink-soft">
                      {[complaint.email, complaint.otherContact].filter(Boolean).join(' · ')}
                    </p>
                    <OneDataComplaint complaint={complaint} sendsEmail={complaint.email !== null} />
                  </li>
                ))}
              </ul>
            )
          }
        </QueryView>
      </div>
    </Dialog>
  )
}
