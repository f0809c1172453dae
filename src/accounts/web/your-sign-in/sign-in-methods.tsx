import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { formatInstantDate } from '#foundation/instants.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { Form, TextField } from '#ui/form-fields.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { Section } from '#ui/section.tsx'
import type { Factors, Passkey } from '../../contract-factors.ts'
import { accountsApi } from '../api.ts'
import { AddApp, RecoveryCodesDialog } from './add-app.tsx'
import {
  done,
  useAddPasskey,
  useRemoveApp,
  useRemovePasskey,
  useRenamePasskey,
  useRenewRecoveryCodes,
} from './factors.ts'
import { PasskeyList } from './passkey-list.tsx'

export function SignInMethods() {
  const [codes, setCodes] = useState<readonly string[]>()
  const show = (what: string) => (added: { recoveryCodes: readonly string[] | null }) => {
    // A toast would cover the codes.
    if (added.recoveryCodes) setCodes(added.recoveryCodes)
    else done(`${what} added`)
  }
  return (
    <>
      <QueryView
        query={useQuery(accountsApi.getFactors.queryOptions())}
        failed="Your passkeys and authenticator app could not be loaded."
      >
        {(factors) => (
          <>
            <Passkeys factors={factors} onAdded={show('Passkey')} />
            {factors.mayUseCodes && <App factors={factors} onAdded={show('Authenticator app')} />}
            {factors.mayUseCodes && <Codes left={factors.recoveryCodes} onMade={setCodes} />}
          </>
        )}
      </QueryView>
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </>
  )
}

type OnAdded = (added: { recoveryCodes: string[] | null }) => void

function Part({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) {
  return (
    <Section title={title} gap="" className="mt-10">
      <p className="mt-2 max-w-[60ch] text-ink-soft">{text}</p>
      {children}
    </Section>
  )
}

function Passkeys({ factors, onAdded }: { factors: Factors; onAdded: OnAdded }) {
  const { passkeys, passkeysAt } = factors
  const add = useAddPasskey({ onAdded })
  const [renaming, setRenaming] = useState<Passkey>()
  const [removing, setRemoving] = useState<Passkey>()
  const remove = useRemovePasskey({ onDone: () => setRemoving(undefined) })
  const isHere = passkeysAt === location.origin
  return (
    <Part
      title="Passkeys"
      text="With a passkey, you sign in with your fingerprint, your face or your device’s code instead of a password. It cannot be guessed or phished."
    >
      {passkeys.length > 0 && (
        <PasskeyList passkeys={passkeys}>
          {(passkey) => (
            <>
              <Button variant="quiet" small aria-label={`Rename ${passkey.label}`} onClick={() => setRenaming(passkey)}>
                Rename
              </Button>
              <Button
                variant="secondary"
                small
                aria-label={`Remove ${passkey.label}`}
                onClick={() => setRemoving(passkey)}
              >
                Remove
              </Button>
            </>
          )}
        </PasskeyList>
      )}
      {isHere ? (
        <Button variant="secondary" small runs={add} className="mt-5">
          Add a passkey
        </Button>
      ) : (
        <p className="mt-4 text-small text-ink-mute">
          {passkeysAt ? `You can only add and use passkeys at ${passkeysAt}.` : 'Passkeys only work over HTTPS.'}
        </p>
      )}
      {renaming && <RenameDialog passkey={renaming} onClose={() => setRenaming(undefined)} />}
      {removing && (
        <ConfirmDialog
          title="Remove this passkey?"
          text={`You will no longer be able to sign in with “${removing.label}”. It may stay on your device until you delete it there.`}
          confirm="Remove passkey"
          busy={remove.isPending}
          onConfirm={() => remove.mutate(removing.id)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Part>
  )
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const rename = useRenamePasskey({ onDone: onClose })
  const form = useForm({ defaultValues: { label: passkey.label } })
  return (
    <Dialog onClose={onClose} title="Rename passkey">
      <Form
        form={form}
        onSubmit={({ label }) => rename.mutate({ id: passkey.id, label: label.trim() })}
        className="mt-5"
      >
        <TextField
          name="label"
          label="Name"
          maxLength={60}
          rules={{ validate: (label) => Boolean(label.trim()) || 'Please enter a name' }}
        />
        <DialogActions onClose={onClose}>
          <Button type="submit" busy={rename.isPending}>
            Save
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

function App({ factors: { app, isRequired }, onAdded }: { factors: Factors; onAdded: OnAdded }) {
  const [open, setOpen] = useState<'add' | 'remove'>()
  const close = () => setOpen(undefined)
  const remove = useRemoveApp({ onDone: close })
  return (
    <Part
      title="Authenticator app"
      text={`Six digits from an app on your phone, after your password.${isRequired ? '' : ' We do not ask for them at the moment.'}`}
    >
      {app && (
        <p className="mt-4 text-small text-ink-mute">
          Connected on {formatInstantDate(app.createdAt)} ·{' '}
          {app.lastUsedAt ? `last used on ${formatInstantDate(app.lastUsedAt)}` : 'not used yet'}
        </p>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        <Button variant="secondary" small onClick={() => setOpen('add')}>
          {app ? 'Connect another app instead' : 'Connect an app'}
        </Button>
        {app && (
          <Button variant="quiet" small onClick={() => setOpen('remove')}>
            Remove the app
          </Button>
        )}
      </div>
      {open === 'add' && (
        <Dialog onClose={close} title="Connect an app">
          <div className="mt-4">
            <AddApp
              onCancel={close}
              onAdded={(added) => {
                close()
                onAdded(added)
              }}
            />
          </div>
        </Dialog>
      )}
      {open === 'remove' && (
        <ConfirmDialog
          title="Remove the app?"
          text="You will no longer be able to sign in with its codes."
          confirm="Remove app"
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={close}
        />
      )}
    </Part>
  )
}

function codesLeft(left: number): string {
  if (left === 0) return 'You have none.'
  return left === 1 ? 'You have one code left.' : `You have ${left} codes left.`
}

function Codes({ left, onMade }: { left: number; onMade: (codes: readonly string[]) => void }) {
  const renew = useRenewRecoveryCodes({ onMade })
  return (
    <Part
      title="Recovery codes"
      text={`Use one if you lose your passkey or app. Each code works once. ${codesLeft(left)}`}
    >
      <Button variant="secondary" small runs={renew} className="mt-5">
        Make new recovery codes
      </Button>
    </Part>
  )
}
