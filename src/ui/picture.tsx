import { addressOf, type PictureSource, srcSetOf } from './picture-source.ts'

/** Another crop for narrow screens. */
type Narrow = { of: PictureSource; media: string; sizes: string }

/**
 * A picture that keeps its place while it loads: in its mean colour until then, and blurred where it is what the page begins
 * with. AVIF where the browser knows it, else WebP.
 * `sizes` is the width at which the picture itself is drawn: wider than its frame where `object-cover` cuts its sides.
 * `alt` may be overridden with '' where the picture only decorates.
 */
export function Picture({
  of,
  sizes,
  narrow,
  eager = false,
  alt = of.alt,
  className = 'h-full w-full object-cover',
}: {
  of: PictureSource
  sizes: string
  narrow?: Narrow
  eager?: boolean
  alt?: string
  className?: string
}) {
  return (
    <picture className="contents">
      {narrow && <Sources of={narrow.of} media={narrow.media} sizes={narrow.sizes} />}
      <Sources of={of} sizes={sizes} />
      <img
        src={addressOf(of)}
        width={of.width}
        height={of.height}
        alt={alt}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : 'auto'}
        decoding="async"
        className={className}
        style={{
          background: eager && of.blur ? `${of.colour} url(data:image/webp;base64,${of.blur}) center/cover` : of.colour,
        }}
        // The blur stands in the finished HTML and not in the script that takes it over.
        suppressHydrationWarning
      />
    </picture>
  )
}

function Sources({ of, media, sizes }: { of: PictureSource; media?: string; sizes: string }) {
  // In a grid a source would be a cell: it shows nothing, so it is nothing.
  const size = { className: 'hidden', width: of.width, height: of.height, media, sizes }
  return (
    <>
      <source type="image/avif" srcSet={srcSetOf(of, 'avif')} {...size} />
      <source type="image/webp" srcSet={srcSetOf(of, 'webp')} {...size} />
    </>
  )
}
