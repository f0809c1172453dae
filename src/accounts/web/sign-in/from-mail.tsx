import type { MailFrame } from './dead-link.tsx'
import SetPassword from './set-password.tsx'
import UndoEmail from './undo-email.tsx'
import VerifyEmail from './verify-email.tsx'

/**
 * What a mailed link leads to, in the page's own frame.
 *
 * @param mailed what the link says: `verify`, `undo`, `reset` or `invitation`, with its token
 */
export default function FromMail({ mailed, frame }: { mailed: URLSearchParams; frame: MailFrame }) {
  const [verify, undo, invitation] = ['verify', 'undo', 'invitation'].map((name) => mailed.get(name))
  if (verify) return <VerifyEmail token={verify} frame={frame} />
  if (undo) return <UndoEmail token={undo} frame={frame} />
  return <SetPassword token={invitation ?? mailed.get('reset') ?? ''} isInvited={Boolean(invitation)} frame={frame} />
}
