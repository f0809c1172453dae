import type { ComponentType, ReactNode } from 'react'
import SetPassword from './set-password.tsx'
import UndoEmail from './undo-email.tsx'
import VerifyEmail from './verify-email.tsx'

/**
 * What a mailed link leads to, in the page's own frame.
 *
 * @param mailed what the link says: `verify`, `undo`, `reset` or `invitation`, with its token
 */
export default function FromMail({
  mailed,
  frame: Frame,
}: {
  mailed: URLSearchParams
  frame: ComponentType<{ title: string; lede: string; children: ReactNode }>
}) {
  const [verify, undo, invitation] = ['verify', 'undo', 'invitation'].map((name) => mailed.get(name))
  if (verify) {
    return (
      <Frame title="Confirm your email address" lede="One click shows that the address is yours. Then you can log in.">
        <VerifyEmail token={verify} />
      </Frame>
    )
  }
  if (undo) {
    return (
      <Frame
        title="Bring your email address back"
        lede="One click, and your account has its old address again. Everybody is signed out."
      >
        <UndoEmail token={undo} />
      </Frame>
    )
  }
  return (
    <Frame
      title={invitation ? 'Welcome' : 'Set your password'}
      lede={`${invitation ? 'The studio has opened an account for you. ' : ''}Choose a password for your account. You are logged in with it at once.`}
    >
      <SetPassword token={invitation ?? mailed.get('reset') ?? ''} />
    </Frame>
  )
}
