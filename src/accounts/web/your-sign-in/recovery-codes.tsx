import { studio } from '#studio.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'

/** The codes, to be kept elsewhere: they are shown once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <>
      <p className="text-ink-soft">
        Keep these where you find them without this device: on paper, or in a password manager. Each lets you in once
        when you have lost your passkey or app. They are not shown again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="mt-5 grid gap-y-2 rounded-row bg-linen px-4 py-5 font-mono text-[0.875rem]/[1.6]"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <a
        href={`data:text/plain;charset=utf-8,${encodeURIComponent(`Recovery codes of ${studio.name}\n\n${codes.join('\n')}\n`)}`}
        download="recovery-codes.txt"
        className="link mt-4 inline-flex min-h-11 items-center"
      >
        Download as a file
      </a>
    </>
  )
}

/** The same in a dialog. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Your recovery codes">
      <div className="mt-4">
        <RecoveryCodes codes={codes} />
      </div>
      <DialogActions>
        <Button onClick={onClose}>I have saved them</Button>
      </DialogActions>
    </Dialog>
  )
}
