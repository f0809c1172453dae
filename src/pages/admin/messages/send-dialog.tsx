import { newKey } from '#foundation/lost-answers.ts'
import type { MessageForm, MessagePreview } from '#mailings/contract.ts'
import { mailingsApi, usePreview } from '#mailings/web/messages.ts'
import { paragraphsOf } from '#messages/rules.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogActions } from '#ui/dialog.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { useAdminMutation } from '../admin-mutation.ts'
import { Refused } from '../dialog-form.tsx'
import { peopleOf, WHY } from './readers.tsx'

type Shown = { body: MessageForm; onClose: () => void; onSent: () => void }

/** Previews a message and sends it, to oneself or to all recipients. */
export function SendDialog(shown: Shown) {
  const preview = usePreview(shown.body)
  return (
    <Dialog open onClose={shown.onClose} title="Preview" wide>
      <QueryView query={preview} failed="The preview could not be made.">
        {(found) => <Found {...shown} preview={found} />}
      </QueryView>
    </Dialog>
  )
}

function Found({ body, preview, onClose, onSent }: Shown & { preview: MessagePreview }) {
  const send = useAdminMutation({
    mutationFn: (_, key) => mailingsApi.sendMessage.call({ body, key }),
    isRepeatable: true,
    says: {
      success: ({ recipients }) => `On its way to ${peopleOf(recipients)}`,
      failure: 'Failed to send the message',
    },
    stale: [mailingsApi.listMessages, mailingsApi.getMessage, mailingsApi.previewMessage],
    onSuccess: onSent,
  })
  const { recipients, leftOut, audience, sample, kind } = preview
  return (
    <>
      <p className="mt-3 text-ink-soft">
        {audience}.{' '}
        {leftOut
          .map(({ reason, count }) => `${count} left out: ${count === 1 ? 'they ' : ''}${WHY[reason]}.`)
          .join(' ')}
      </p>
      {sample ? (
        <Sample sample={sample} kind={kind} />
      ) : (
        <p className="mt-5 rounded-row bg-warn-tint p-4 text-[0.9375rem]/[1.45] text-warn">
          This message would reach nobody.
        </p>
      )}
      <Refused refusal={send.refusal} />
      <DialogActions>
        <Test body={body} />
        <Button variant="quiet" onClick={onClose}>
          Keep writing
        </Button>
        <Button busy={send.isPending} disabled={recipients === 0} onClick={() => send.mutate()}>
          Send to {peopleOf(recipients)}
        </Button>
      </DialogActions>
    </>
  )
}

/** The message as its first recipient gets it. */
function Sample({ sample, kind }: { sample: NonNullable<MessagePreview['sample']>; kind: MessagePreview['kind'] }) {
  return (
    <article
      aria-label="Preview"
      className="mt-5 rounded-row border border-line bg-white px-5 py-4 [overflow-wrap:anywhere]"
    >
      <p className="text-[0.875rem] text-ink-mute">To {sample.to}</p>
      <h3 className="mt-1 font-medium">{sample.subject}</h3>
      {paragraphsOf(sample.text).map((lines, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no other identity
        <p key={i} className="mt-3 text-[0.9375rem]/[1.55]">
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
      {kind === 'marketing' && (
        <p className="mt-3 text-[0.875rem] text-ink-mute">A link to unsubscribe stands below.</p>
      )}
    </article>
  )
}

function Test({ body }: { body: MessageForm }) {
  const test = useAdminMutation({
    mutationFn: () => mailingsApi.testMessage.call({ body, key: newKey() }),
    says: { success: ({ message }) => message, failure: 'Failed to send the test' },
    stale: [],
  })
  return (
    <Button variant="secondary" busy={test.isPending} onClick={() => test.mutate()}>
      Send a test to me
    </Button>
  )
}
