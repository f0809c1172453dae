import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { encode } from 'uqr'
import { useFacts } from '#content/web/facts.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { Form, TextField } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { newApp, useAddApp } from './factors.ts'

export function AddApp({
  onAdded,
  onCancel,
}: {
  onAdded: Parameters<typeof useAddApp>[0]['onAdded']
  onCancel: () => void
}) {
  const app = useQuery(newApp)
  const form = useForm({ defaultValues: { code: '' } })
  const add = useAddApp({ onAdded, onRefused: (message) => form.setError('code', { message }) })
  return (
    <QueryView query={app} failed="The code to scan could not be created.">
      {({ secret, uri, setUp }) => (
        <Form form={form} onSubmit={({ code }) => add.mutate({ setUp, code: code.trim() })} className="grid gap-5">
          <p className="text-ink-soft">
            Scan this code with an authenticator app, such as the one in your password manager. If the app is on this
            device,{' '}
            <a href={uri} className="link">
              open it in your app
            </a>
            .
          </p>
          <QrCode of={uri} />
          <p className="text-small text-ink-soft">
            Or type this key: <code className="wrap-anywhere text-ink">{inGroups(secret)}</code>
          </p>
          <TextField
            name="code"
            label="Code"
            help="The six digits that the app shows now."
            inputMode="numeric"
            autoComplete="one-time-code"
            spellCheck={false}
          />
          <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
            <Button variant="quiet" onClick={onCancel}>
              Cancel
            </Button>
            <Button type="submit" busy={add.isPending}>
              Connect the app
            </Button>
          </div>
        </Form>
      )}
    </QueryView>
  )
}

const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(' ')

/** Black on white in every theme, or cameras cannot read it. */
function QrCode({ of }: { of: string }) {
  const { data, size } = encode(of, { border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label="The key as a QR code"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-full max-w-[220px] justify-self-center rounded-field bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}

export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { name } = useFacts()
  return (
    <>
      <p className="text-ink-soft">
        Keep these somewhere other than this device: on paper, or in a password manager. If you lose your passkey or
        app, each code works once. We will not show them again.
      </p>
      <ul
        aria-label="Recovery codes"
        className="mt-5 grid gap-y-2 rounded-row bg-linen px-4 py-5 font-mono text-caption/[1.6]"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <a
        href={`data:text/plain;charset=utf-8,${encodeURIComponent(`Recovery codes of ${name}\n\n${codes.join('\n')}\n`)}`}
        download="recovery-codes.txt"
        className="link mt-4 inline-flex min-h-11 items-center"
      >
        Download as a file
      </a>
    </>
  )
}

export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Your recovery codes">
      <div className="mt-4">
        <RecoveryCodes codes={codes} />
      </div>
      <DialogActions>
        <Button onClick={onClose}>I have saved them</Button>
      </DialogActions>
    </Dialog>
  )
}
