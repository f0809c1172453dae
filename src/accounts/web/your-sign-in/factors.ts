import { CallError, type call, errorMessage } from '#foundation/call.ts'
import { toast } from '#ui/toast.ts'
import type { addApp, addPasskey, Passkey } from '../../contract-factors.ts'
import { accountsApi } from '../api.ts'
import { useMemberMutation } from '../member-mutation.ts'
import { makePasskey, passkeyFault } from './passkeys.ts'

const failed = (fallback: string) => (error: Error) =>
  toast({ title: 'Error', description: passkeyFault(error) ?? errorMessage(error, fallback), tone: 'error' })
export const done = (description: string) => toast({ title: 'Success', description })

type AddedPasskey = Awaited<ReturnType<typeof call<typeof addPasskey>>>

/** Creates a passkey on this device. `onAdded` is not called if the user cancels. */
export function useAddPasskey({ onAdded }: { onAdded: (added: AddedPasskey) => void }) {
  return useMemberMutation<AddedPasskey | undefined>({
    mutationFn: async () => {
      const question = await accountsApi.beginPasskey.call()
      const passkey = await makePasskey(question)
      if (!passkey) return undefined
      return await accountsApi.addPasskey.call({ body: { passkey } })
    },
    onSuccess: (added) => added && onAdded(added),
    onError: failed('The passkey could not be added. Please try again.'),
  })
}

export function useRenamePasskey({ onDone }: { onDone: () => void }) {
  return useMemberMutation({
    mutationFn: ({ id, label }: Pick<Passkey, 'id' | 'label'>) =>
      accountsApi.renamePasskey.call({ params: { id }, body: { label } }),
    onSuccess: onDone,
    onError: failed('The name could not be saved. Please try again.'),
  })
}

export function useRemovePasskey({ onDone }: { onDone: () => void }) {
  return useMemberMutation({
    mutationFn: (id: number) => accountsApi.removePasskey.call({ params: { id } }),
    onSuccess: ({ message }) => {
      done(message)
      onDone()
    },
    onError: failed('The passkey could not be removed. Please try again.'),
  })
}

/** A new secret. Each request returns another one. */
export const newApp = {
  ...accountsApi.beginApp.queryOptions(),
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
}

type AddedApp = Awaited<ReturnType<typeof call<typeof addApp>>>

/** Connects an app after its first correct code. `onRefused` gets the message to show at the code. */
export function useAddApp({
  onAdded,
  onRefused,
}: {
  onAdded: (added: AddedApp) => void
  onRefused: (message: string) => void
}) {
  return useMemberMutation({
    mutationFn: (body: { setUp: string; code: string }) => accountsApi.addApp.call({ body }),
    onSuccess: onAdded,
    onError: (error) => {
      const message = error instanceof CallError ? error.errors[0]?.message : undefined
      onRefused(message ?? errorMessage(error, 'The code could not be checked. Please try again.'))
    },
  })
}

export function useRemoveApp({ onDone }: { onDone: () => void }) {
  return useMemberMutation({
    mutationFn: () => accountsApi.removeApp.call(),
    onSuccess: ({ message }) => {
      done(message)
      onDone()
    },
    onError: failed('The app could not be removed. Please try again.'),
  })
}

export function useRenewRecoveryCodes({ onMade }: { onMade: (codes: string[]) => void }) {
  return useMemberMutation({
    mutationFn: () => accountsApi.renewRecoveryCodes.call(),
    onSuccess: ({ recoveryCodes }) => onMade(recoveryCodes),
    onError: failed('New codes could not be created. Please try again.'),
  })
}
