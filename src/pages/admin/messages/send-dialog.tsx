import type { EmailPicture, MessageForm, MessagePreview } from '#mailings/contract.ts'
import { mailingsApi, usePreview } from '#mailings/web/messages.ts'
import { parseParagraphs } from '#messages/rules.ts'
import { emailPicturePath } from '#pictures/rules.ts'
import { Button } from '#ui/button.tsx'
import { Callout } from '#ui/callout.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { Refused } from '../dialog-form.tsx'
import { leftOutText, peopleOf } from './recipients.tsx'

type SendProps = { body: MessageForm; onClose: () => void; onSent: () => void }

export function SendDialog({ body, onClose, onSent }: SendProps) {
  const preview = usePreview(body)
  const send = useAdminMutation({
    mutationFn: () => mailingsApi.sendMessage.call({ body }),
    toasts: {
      success: ({ recipients }) => `On its way to ${peopleOf(recipients)}`,
      failure: 'Failed to send the message',
    },
    onSuccess: onSent,
  })
  const test = useAdminMutation({
    mutationFn: () => mailingsApi.testMessage.call({ body }),
    toasts: { success: ({ message }) => message, failure: 'Failed to send the test' },
  })
  return (
    <Dialog onClose={onClose} title="Preview" wide>
      <QueryView query={preview} failed="The preview could not be loaded.">
        {({ recipients, leftOut, audience, sample, kind }) => (
          <>
            <p className="mt-3 text-ink-soft">
              {audience}. {leftOut.map((group) => `Left out: ${leftOutText(group)}.`).join(' ')}
            </p>
            {sample ? (
              <Sample sample={sample} kind={kind} />
            ) : (
              <Callout className="mt-5 p-4">This message has no recipients.</Callout>
            )}
            <Refused refusal={send.refusal} />
            <DialogActions>
              <Button variant="secondary" runs={test}>
                Send a test to me
              </Button>
              <Button variant="quiet" onClick={onClose}>
                Keep writing
              </Button>
              <Button runs={send} disabled={recipients === 0}>
                Send to {peopleOf(recipients)}
              </Button>
            </DialogActions>
          </>
        )}
      </QueryView>
    </Dialog>
  )
}

function Sample({ sample, kind }: { sample: NonNullable<MessagePreview['sample']>; kind: MessagePreview['kind'] }) {
  return (
    <article aria-label="Preview" className="mt-5 rounded-row border border-line bg-white px-5 py-4 wrap-anywhere">
      <p className="text-caption text-ink-mute">To {sample.to}</p>
      <h3 className="mt-1 font-medium">{sample.subject}</h3>
      {parseParagraphs(sample.text).map((lines, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity
        <p key={i} className="mt-3 text-small/relaxed">
          {lines.map((line, j) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <span key={j}>
              {j > 0 && <br />}
              {line.map(({ text, href }) =>
                href ? (
                  <span key={href} className="underline">
                    {text}
                  </span>
                ) : (
                  text
                ),
              )}
            </span>
          ))}
        </p>
      ))}
      <EmailPicturesShown pictures={sample.pictures} />
      {kind === 'marketing' && (
        <p className="mt-3 text-caption text-ink-mute">The email ends with a link to unsubscribe.</p>
      )}
    </article>
  )
}

/** The pictures of a message as its email shows them. */
export const EmailPicturesShown = ({ pictures }: { pictures: readonly EmailPicture[] }) =>
  pictures.map(({ id, alt, width, height }) => (
    <img
      key={id}
      src={emailPicturePath(id)}
      alt={alt}
      width={width}
      height={height}
      className="mt-4 h-auto max-h-96 w-auto max-w-full rounded-field"
    />
  ))
