import circleAlert from '@lucide/icons/icons/circle-alert'
import x from '@lucide/icons/icons/x'
import * as Radix from '@radix-ui/react-toast'
import { Icon } from './icon.tsx'
import { ArchTick } from './mark.tsx'
import { useOpenDialogs } from './open-dialogs.tsx'
import { dismissToast, markToastMounted, type Toast } from './toast.ts'

/** Agreed with the studio. */
const SHOWN_MS = 5000
const SWIPE_PX = 50

/** On a phone, toasts move to the top where a dialog or a form (`data-toasts-above`) has its buttons at the bottom. */
const ABOVE =
  'max-md:[body:has([role=dialog][data-state=open],[data-toasts-above])_&]:top-4 max-md:[body:has([role=dialog][data-state=open],[data-toasts-above])_&]:bottom-auto'

export default function ToastViewer({ toast }: { toast: Toast }) {
  const { closeTop } = useOpenDialogs()
  return (
    <Radix.Provider duration={SHOWN_MS} swipeDirection="right" swipeThreshold={SWIPE_PX}>
      <Radix.Root
        key={toast.id}
        ref={(element) => {
          if (element) markToastMounted(toast.id)
        }}
        open={toast.open}
        onOpenChange={(open) => !open && dismissToast(toast.id)}
        onEscapeKeyDown={(event) => {
          // The toast is the top layer, but Escape belongs to the dialog that has the focus.
          if (!document.activeElement?.closest('[role=dialog]')) return
          event.preventDefault()
          closeTop()
        }}
        type={toast.tone === 'error' ? 'foreground' : 'background'}
        className="toast flex items-start gap-3 rounded-row bg-ink py-4 pr-2 pl-5 text-paper shadow-lift"
      >
        {toast.tone === 'error' ? (
          <Icon of={circleAlert} size={22} className="mt-0.5 flex-none text-clay-tint" />
        ) : (
          <ArchTick size={24} className="-mt-0.5 text-sage-tint" />
        )}
        <div className="min-w-0 flex-1 py-px text-small/even">
          <Radix.Title className="font-medium">{toast.title}</Radix.Title>
          {toast.description && (
            <Radix.Description className="mt-0.5 text-stone">{toast.description}</Radix.Description>
          )}
        </div>
        <Radix.Close
          aria-label="Close"
          className="-my-2 grid size-11 flex-none place-items-center rounded-full hover:bg-white/10 focus-visible:outline-paper"
        >
          <Icon of={x} size={18} />
        </Radix.Close>
      </Radix.Root>
      <Radix.Viewport
        inert={!toast.open}
        className={`fixed right-4 bottom-4 left-4 z-[70] outline-none sm:left-auto sm:w-[400px] ${ABOVE}`}
      />
    </Radix.Provider>
  )
}
