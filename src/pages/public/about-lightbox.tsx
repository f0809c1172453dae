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
        iconPrev: () => <Icon of={chevronLeft} size={28} />,
        iconNext: () => <Icon of={chevronRight} size={28} />,
        iconClose: () => <Icon of={x} size={28} />,
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
