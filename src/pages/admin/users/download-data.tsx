import type { MouseEvent } from 'react'
import { privacyApi } from '#privacy/web/api.ts'
import { buttonClass } from '#ui/button.tsx'
import { useAdminMutation } from '../admin-mutation.ts'

/** What the studio keeps of a member, as a file. Asked for by script: who is asked first whether it is them gets it afterwards. */
export function DownloadData({ userId }: { userId: string }) {
  const read = useAdminMutation({
    mutationFn: () => privacyApi.exportMemberData.call({ params: { id: userId } }),
    says: { success: 'Data downloaded', failure: 'The data could not be downloaded' },
    stale: [],
    onSuccess: (data) => save(data, `member-${userId}.json`),
  })
  const start = (event: MouseEvent) => {
    event.preventDefault()
    read.mutate()
  }
  return (
    <a
      href={`/api/admin/users/${userId}/export`}
      download
      aria-busy={read.isPending || undefined}
      onClick={start}
      className={buttonClass({ variant: 'quiet', small: true })}
    >
      Download this member’s data
    </a>
  )
}

function save(data: object, name: string): void {
  const href = URL.createObjectURL(new Blob([JSON.stringify(data)], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(href))
}
