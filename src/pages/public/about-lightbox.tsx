import chevronLeft from '@lucide/icons/icons/chevron-left'
import chevronRight from '@lucide/icons/icons/chevron-right'
import x from '@lucide/icons/icons/x'
import YetAnotherLightbox from 'yet-another-react-lightbox'
import Captions from 'yet-another-react-lightbox/plugins/captions'
import Counter from 'yet-another-react-lightbox/plugins/counter'
import 'yet-another-react-lightbox/plugins/captions.css'
import 'yet-another-react-lightbox/plugins/counter.css'
import 'yet-another-react-lightbox/styles.css'
import './about-lightbox.css'
import { Icon } from '#ui/icon.tsx'
import { useOpenDialog } from '#ui/open-dialogs.tsx'
import { addressOf, type PictureSource } from '#ui/picture-source.ts'

const ICON = { size: 28, strokeWidth: 1.5, 'aria-hidden': true } as const

/** The gallery's pictures one at a time: arrow keys, swiping, Escape and the browser's Back. */
export default function AboutLightbox({
  pictures,
  start,
  onClose,
}: {
  pictures: readonly PictureSource[]
  start: number
  onClose: () => void
}) {
  useOpenDialog(onClose)
  return (
    <YetAnotherLightbox
      open
      close={onClose}
      index={start}
      plugins={[Captions, Counter]}
      slides={pictures.map(slideOf)}
      carousel={{ padding: 0, spacing: '12%', imageFit: 'contain' }}
      controller={{ closeOnBackdropClick: true, closeOnPullDown: true }}
      labels={{
        Lightbox: 'Pictures of the studio',
        'Photo gallery': 'Pictures of the studio',
        Previous: 'Previous picture',
        Next: 'Next picture',
      }}
      render={{
        iconPrev: () => <Icon of={chevronLeft} {...ICON} />,
        iconNext: () => <Icon of={chevronRight} {...ICON} />,
        iconClose: () => <Icon of={x} {...ICON} />,
      }}
      captions={{ descriptionTextAlign: 'center' }}
    />
  )
}

function slideOf(picture: PictureSource) {
  const { width, height, widths, alt } = picture
  const at = (each: number) => ({
    src: addressOf({ ...picture, width: each }, 'avif'),
    width: each,
    height: Math.round((height * each) / width),
  })
  return { src: addressOf(picture), width, height, alt, description: alt, srcSet: widths.map(at) }
}
